import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CrawlJob, jobKey, readJob, urlMark } from '../../../lambdas/domain/crawl/jobs/job.ts';
import { Slice } from '../../../lambdas/domain/crawl/jobs/slice.ts';
import { startCrawl } from '../../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { type CrawlDeps, runSlice } from '../../../lambdas/domain/crawl/run-slice.ts';
import { mutex } from '../../../lambdas/domain/mutex.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { urlHash } from '../../../lambdas/text/web/url.ts';
import { crawlDeps, newSite } from '../../support/crawl-here.ts';
import { eventually } from '../../support/eventually.ts';
import { pageIndex, queue, table } from '../../support/memory/stores.ts';
import { type MemorySite, memoryFetcher, memorySite } from '../../support/memory/web.ts';
import { htmlPage } from '../../support/web-site.ts';

const never = () => new Promise<never>(() => undefined);

describe('a URL that was in flight when the worker died', () => {
  let web: MemorySite;

  beforeAll(async () => {
    web = memorySite({ '/': htmlPage('Start', 'Where everything begins.') });
  });

  /** A job whose start page is to be tried alone. */
  async function poisoned(): Promise<CrawlJob> {
    const site = await newSite(web.origin);
    const { jobId } = await startCrawl(
      { siteId: site.siteId, overrides: {} },
      { ...site, plan: 'enterprise' },
      {
        table,
        queue,
        clock: Date.now,
        newId,
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
    void runSlice({ siteId, jobId, slice: 0 }, crawlDeps(over)).catch(() => undefined);
    await hangs;
    const next = await Slice.claim({ siteId, jobId, slice: 0 }, crawlDeps());
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

  it('a URL is blamed for a death if only it is being read', async () => {
    const { hangs, hang } = hanging();
    const crashes = await crashesAfterDeathIn({ pageReader: { read: hang } }, hangs);
    expect(crashes).toEqual({ [urlMark(urlHash(`${web.origin}/`))]: 1 });
  });

  it('a URL is not blamed while the server does not answer', async () => {
    const { hangs, hang } = hanging();
    const fetcher = memoryFetcher();
    const fetch: typeof fetcher.fetch = (request) => (request.url.endsWith('.txt') ? fetcher.fetch(request) : hang());
    const openFetcher = () => ({ fetch, stream: fetcher.stream, close: fetcher.close });
    expect(await crashesAfterDeathIn({ openFetcher }, hangs)).toEqual({});
  });

  it('a URL is not blamed once it was read', async () => {
    const { hangs, hang } = hanging();
    expect(await crashesAfterDeathIn({ pageIndex: { ...pageIndex, put: hang } }, hangs)).toEqual({});
  });

  it('a URL is given up if its slice has died twenty times for other reasons', async () => {
    const { siteId, jobId } = await poisoned();
    await table.update<CrawlJob>(jobKey(jobId), { set: { claims: 20 } });
    await runSlice({ siteId, jobId, slice: 0 }, crawlDeps());
    expect(await readJob(jobId, table)).toMatchObject({ slice: 1, claims: 0, failed: 1 });
  });

  it('a URL does not keep a job alive whose slice dies before the URL is tried', async () => {
    const { siteId, jobId } = await poisoned();
    await table.update<CrawlJob>(jobKey(jobId), { set: { claims: 30 } });
    await runSlice({ siteId, jobId, slice: 0 }, crawlDeps());
    expect(await readJob(jobId, table)).toMatchObject({ status: 'failed', endReason: 'internal_error' });
  });

  it('a URL is not blamed while another URL of the process is being read', async () => {
    const soloRead = mutex();
    const { hangs, hang } = hanging();
    const [first, second] = [await poisoned(), await poisoned()];
    void runSlice({ ...first, slice: 0 }, crawlDeps({ soloRead, pageReader: { read: hang } })).catch(() => undefined);
    await hangs;
    const before = web.requests.length;
    void runSlice({ ...second, slice: 0 }, crawlDeps({ soloRead })).catch(() => undefined);
    await eventually(async () => web.requests.slice(before).includes('/'));
    const [one, other] = [
      await Slice.claim({ ...first, slice: 0 }, crawlDeps()),
      await Slice.claim({ ...second, slice: 0 }, crawlDeps()),
    ];
    expect(Object.keys(one?.job.crashes ?? {})).toHaveLength(1);
    expect(other?.job.crashes).toEqual({});
  });
});
