import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ReadContent } from '../../../lambdas/connectors/pdf/pdf-reader.ts';
import { WorkerThread } from '../../../lambdas/connectors/worker-thread.ts';
import { DeadlyPageError } from '../../../lambdas/domain/errors.ts';
import type { FetchedPage } from '../../../lambdas/text/fetched-page.ts';
import { pageReader } from '../../../local/threads/page-reader.ts';
import { pageReaderContract } from '../../contracts/page-reader.contract.ts';
import { htmlPage } from '../../support/web-site.ts';

pageReaderContract('a separate thread', pageReader, () => pageReader.close());

describe('the reading thread', () => {
  const script = new URL('../../fixtures/threads/hostile-pages.ts', import.meta.url);
  const started = (timeoutMs = 30_000) =>
    new WorkerThread<FetchedPage, ReadContent>({ name: 'hostile', script, perPage: { timeoutMs, memoryMb: 1024 } });
  let reader: ReturnType<typeof started>;
  afterEach(() => reader.stop());

  /** Reads the pages at once. Returns the title of each, or the reason why it could not be read. */
  const titles = (...paths: readonly string[]) =>
    Promise.all(
      paths.map((path) => {
        const body = Buffer.from(htmlPage(path, 'It has a text of its own.'));
        const read = reader.request({ url: `https://a.example/${path}`, contentType: 'text/html', body });
        return read.then(
          (content) => (typeof content === 'object' ? content.title : content),
          (error: Error) => (error instanceof DeadlyPageError ? `deadly: ${error.message}` : error.message),
        );
      }),
    );

  it('fails a page that takes too long, and reads the pages before and after it', async () => {
    reader = started(3000);
    const late = 'Reading the page took longer than 3000 ms';
    expect(await titles('a', 'endless', 'b', 'endless', 'c')).toEqual(['a', late, 'b', late, 'c']);
    expect(await titles('d')).toEqual(['d']);
  });

  it('fails only the page that crashes the thread or fills its memory', async () => {
    reader = started();
    const [a, deadly, faulty, b, greedy, c] = await titles('a', 'deadly', 'faulty', 'b', 'greedy', 'c');
    expect([a, b, c]).toEqual(['a', 'b', 'c']);
    expect([deadly, faulty]).toEqual(['deadly: The page crashed its reader', 'Error: it is faulty']);
    expect(greedy).toMatch(/deadly: .*memory/);
  });

  it('reads a page that crashes the thread twice', async () => {
    reader = started();
    const lives = mkdtempSync(join(tmpdir(), 'lives-'));
    const path = `unlucky?${lives}`;
    expect(await titles('a', path, 'b')).toEqual(['a', path, 'b']);
    expect(readdirSync(lives)).toHaveLength(2);
    rmSync(lives, { recursive: true });
  });
});
