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

describe('a batch that is embedded at the end of a slice', () => {
  it('a batch that is embedded at the end of a slice gets 10 s, so that the function ends in time; the next slice writes it', async () => {
    const web = memorySite({ '/': htmlPage('The start', 'A start that leads on.', EARLY) });
    for (const path of EARLY) web.pages.set(path, htmlPage(`Page ${path}`, `All that is of ${path}.`));
    let passed = 0;
    const left: (number | undefined)[] = [];
    const embedder: Embedder = {
      ...builtin,
      embedTexts: async (texts, account) => {
        left.push(account?.timeLeft?.());
        if (left.length === 1) passed = 95_000; // a slow provider
        if (left.length === 2) throw new UnavailableError('no time is left');
        return builtin.embedTexts(texts);
      },
    };
    const clock = () => Date.now() + passed;
    const { job } = await crawlHere(await newSite(web.origin), { embedder, ...systemTime, clock });
    const [first = 0, second = 0, third = 0] = left;
    expect([first, second, third].map((ms) => Math.ceil(ms / 10_000))).toEqual([10, 1, 10]);
    expect(job).toMatchObject({ status: 'completed', slice: 1, indexed: 8 });
  });
});
