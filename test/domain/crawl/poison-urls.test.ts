import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pageIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { pageReader } from '../../../lambdas/aws/page-reader.ts';
import { builtinEmbedder } from '../../../lambdas/connectors/embedder/builtin.ts';
import { httpFetcher } from '../../../lambdas/connectors/fetcher/http-fetcher.ts';
import { type CrawlJob, jobKey, urlMark } from '../../../lambdas/domain/crawl/jobs/job.ts';
import { Slice } from '../../../lambdas/domain/crawl/jobs/slice.ts';
import { startCrawl } from '../../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { type CrawlDeps, runSlice } from '../../../lambdas/domain/crawl/run-slice.ts';
import { turns } from '../../../lambdas/domain/turns.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { urlHash } from '../../../lambdas/text/web/url.ts';
import { newSite } from '../../support/crawl-here.ts';
import { eventually } from '../../support/eventually.ts';
import { openLocalStore } from '../../support/local-store.ts';
import { htmlPage, type WebSite, webSite } from '../../support/web-site.ts';

const never = () => new Promise<never>(() => undefined);

describe('a URL that was in flight when the worker died', () => {
  let close: () => Promise<void>;
  let web: WebSite;

  beforeAll(async () => {
    close = await openLocalStore();
    web = await webSite({ '/': htmlPage('Start', 'Where everything begins.') });
  });
  afterAll(async () => {
    await close();
    await web.close();
  });

  const deps = (over: Partial<CrawlDeps> = {}): CrawlDeps => ({
    ...{ table, queue, pageStore, pageIndex, embedder: builtinEmbedder(), clock: Date.now, pageReader },
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20))),
    halt: new AbortController().signal,
    openFetcher: () => httpFetcher({ userAgent: 'test', allowHosts: ['127.0.0.1'], connectionsPerHost: 5 }),
    ...over,
  });

  /** A job whose start page is to be tried alone. */
  async function poisoned(): Promise<CrawlJob> {
    const site = await newSite(web.origin);
    const { jobId } = await startCrawl(
      { siteId: site.siteId, overrides: {} },
      { ...site, plan: 'enterprise' },
      {
        ...{ table, queue, clock: Date.now, newId },
      },
    );
    const poisonUrls = [urlMark(urlHash(`${web.origin}/`))];
    const job = await table.update<CrawlJob>(jobKey(jobId), { set: { poisonUrls } });
    if (!job) throw new Error('no job');
    return job;
  }
  /** Crashes counted by the worker that takes over from one that hangs here forever. */
  async function crashesAfterDeathIn(over: Partial<CrawlDeps>, hangs: Promise<void>): Promise<unknown> {
    const { siteId, jobId } = await poisoned();
    void runSlice({ siteId, jobId, slice: 0 }, deps(over)).catch(() => undefined);
    await hangs;
    const next = await Slice.claim({ siteId, jobId, slice: 0 }, deps());
    expect(next?.job.poisonUrls).toEqual([urlMark(urlHash(`${web.origin}/`))]);
    return next?.job.crashes;
  }
  const hanging = () => {
    const { promise: hangs, resolve } = Promise.withResolvers<void>();
    const hang = () => {
      resolve();
      return never();
    };
    return { hangs, hang };
  };

  it('is blamed for a death while it alone is read', async () => {
    const { hangs, hang } = hanging();
    const crashes = await crashesAfterDeathIn({ pageReader: { read: hang } }, hangs);
    expect(crashes).toEqual({ [urlMark(urlHash(`${web.origin}/`))]: 1 });
  });

  it('is not blamed while the server does not answer', async () => {
    const { hangs, hang } = hanging();
    const fetcher = httpFetcher({ userAgent: 'test', allowHosts: ['127.0.0.1'], connectionsPerHost: 5 });
    const fetch: typeof fetcher.fetch = (request) => (request.url.endsWith('.txt') ? fetcher.fetch(request) : hang());
    const openFetcher = () => ({ fetch, stream: fetcher.stream, close: fetcher.close });
    expect(await crashesAfterDeathIn({ openFetcher }, hangs)).toEqual({});
  });

  it('is well once it was read', async () => {
    const { hangs, hang } = hanging();
    expect(await crashesAfterDeathIn({ pageIndex: { ...pageIndex, put: hang } }, hangs)).toEqual({});
  });

  it('is not blamed while another one of the process is read', async () => {
    const readAlone = turns();
    const { hangs, hang } = hanging();
    const [first, second] = [await poisoned(), await poisoned()];
    void runSlice({ ...first, slice: 0 }, deps({ readAlone, pageReader: { read: hang } })).catch(() => undefined);
    await hangs;
    const before = web.requests.length;
    void runSlice({ ...second, slice: 0 }, deps({ readAlone })).catch(() => undefined);
    await eventually(async () => web.requests.slice(before).includes('/'));
    const [one, other] = [
      await Slice.claim({ ...first, slice: 0 }, deps()),
      await Slice.claim({ ...second, slice: 0 }, deps()),
    ];
    expect(Object.keys(one?.job.crashes ?? {})).toHaveLength(1);
    expect(other?.job.crashes).toEqual({});
  });
});
