import { afterEach, describe, expect, it } from '@jest/globals';
import { pageReader, ReadingThread } from '../../../lambdas/adapters/local/page-reader.ts';
import { htmlPage } from '../../support/web-site.ts';
import { pageReaderContract } from '../page-reader.contract.ts';

pageReaderContract('another thread', pageReader, () => pageReader.close());

describe('the reading thread', () => {
  const script = new URL('../../fixtures/threads/hostile-pages.ts', import.meta.url);
  let reader: ReadingThread;
  afterEach(() => reader.close());

  /** What becomes of pages that are given at once: their titles, or why they were not read. */
  const titles = (...paths: readonly string[]) =>
    Promise.all(
      paths.map((path) => {
        const body = Buffer.from(htmlPage(path, 'It has a text of its own.'));
        const read = reader.read({ url: `https://a.example/${path}`, contentType: 'text/html', body });
        return read.then(
          (content) => content?.title,
          (error: Error) => error.message,
        );
      }),
    );

  it('gives a page that takes too long up, and reads those that were given with it and after it', async () => {
    reader = new ReadingThread(script, 1000);
    const late = 'It takes longer than 1000 ms to read';
    expect(await titles('a', 'endless', 'b', 'endless', 'c')).toEqual(['a', late, 'b', late, 'c']);
    expect(await titles('d')).toEqual(['d']);
  });

  it('lets a page pay alone for what it does to the thread', async () => {
    reader = new ReadingThread(script);
    const [a, deadly, faulty, b, greedy, c] = await titles('a', 'deadly', 'faulty', 'b', 'greedy', 'c');
    expect([a, b, c]).toEqual(['a', 'b', 'c']);
    expect([deadly, faulty]).toEqual(['Its reader died of it', 'it is faulty']);
    expect(greedy).toMatch(/memory/);
  });
});
