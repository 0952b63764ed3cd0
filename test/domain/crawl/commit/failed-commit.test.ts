import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '../../../../lambdas/domain/errors.ts';
import type { Embedder } from '../../../../lambdas/domain/ports/embedder.ts';
import { embedder as builtin, crawlHere, newSite, systemTime } from '../../../support/crawl-here.ts';
import { type MemorySite, memorySite } from '../../../support/memory/web.ts';
import { htmlPage } from '../../../support/web-site.ts';

const EARLY = ['/1', '/2', '/3', '/4', '/5', '/6', '/7'];

describe('pages whose commit failed', () => {
  let web: MemorySite;
  const failing = Promise.withResolvers<void>();

  beforeAll(async () => {
    web = memorySite({
      '/': htmlPage('The start', 'A start that leads on.', ['/late', ...EARLY]),
      '/late': (_, response) =>
        void failing.promise.then(() =>
          response.writeHead(200, { 'Content-Type': 'text/html' }).end(htmlPage('Late', 'All of it came late.')),
        ),
      ...Object.fromEntries(EARLY.map((path) => [path, htmlPage(`Page ${path}`, `All that is of ${path}.`)])),
    });
  });

  it('are committed again in the same batch, because others may be duplicates of half-written pages', async () => {
    const written: (readonly string[])[] = [];
    const embedder: Embedder = {
      ...builtin,
      embedTexts: async (texts) => {
        written.push(texts.map(({ text }) => text.slice(0, text.indexOf('\n'))));
        if (written.length === 2) {
          failing.resolve();
          await delay(300); // time enough for the late page to be read
          throw new UnavailableError('the embedder is down');
        }
        return builtin.embedTexts(texts);
      },
    };
    const { job } = await crawlHere(await newSite(web.origin), { embedder, ...systemTime });
    expect(job).toMatchObject({ status: 'completed', indexed: 9 });
    const [start, first, again, last] = written;
    expect(start).toEqual(['The start']);
    expect(first).toHaveLength(EARLY.length);
    expect(again).toEqual(first);
    expect(last).toEqual(['Late']);
  });
});
