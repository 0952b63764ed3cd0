import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Clock } from '../../../lambdas/domain/clock.ts';
import { cancelCrawl } from '../../../lambdas/domain/crawl/jobs/end-crawl.ts';
import { type CrawlJob, hasEnded, jobKey, listJobs, readJob } from '../../../lambdas/domain/crawl/jobs/job.ts';
import { reviveJobs } from '../../../lambdas/domain/crawl/jobs/recover-jobs.ts';
import { Slice } from '../../../lambdas/domain/crawl/jobs/slice.ts';
import { startCrawl } from '../../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { type CrawlDeps, runSlice } from '../../../lambdas/domain/crawl/run-slice.ts';
import { newId } from '../../../lambdas/runtime/system.ts';
import { crawlDeps, newSite } from '../../support/crawl-here.ts';
import { queue, table } from '../../support/memory/stores.ts';
import { type MemorySite, memoryFetcher, memorySite } from '../../support/memory/web.ts';
import { htmlPage } from '../../support/web-site.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const PAGES = Array.from({ length: 40 }, (_, index) => `/page-${index}`);

describe('a crawl whose system time is set', () => {
  let web: MemorySite;
  let set = 0;
  const passed = 0;
  /** Called before each page is answered. */
  let onFetch: () => void = () => undefined;
  const clock: Clock = Object.assign(() => Date.now() + passed + set, { steady: () => performance.now() + passed });

  beforeAll(async () => {
    const pages = PAGES.map((path) => [path, htmlPage(path, `Something about ${path} alone.`)] as const);
    web = memorySite({ '/': htmlPage('Start', 'Where everything begins.', PAGES), ...Object.fromEntries(pages) });
  });
  afterEach(() => {
    set = 0;
    onFetch = () => undefined;
  });

  const deps = (): CrawlDeps =>
    crawlDeps({
      clock,
      openFetcher: () => {
        const fetcher = memoryFetcher();
        const fetch: typeof fetcher.fetch = (request) => {
          onFetch();
          return fetcher.fetch(request);
        };
        return { ...fetcher, fetch };
      },
    });
  const jobOf = async (jobId: string): Promise<CrawlJob> => {
    const job = await readJob(jobId, table);
    if (!job) throw new Error('no such job');
    return job;
  };
  async function started() {
    const site = await newSite(web.origin);
    const caller = { ...site, plan: 'enterprise' } as const;
    // Ids are made of the time: here each is less than the one before.
    const id = newId();
    let left = 1000;
    const earlierId = () => `${id.slice(0, -4)}${String(left--).padStart(4, '0')}`;
    const start = () =>
      startCrawl({ siteId: site.siteId, overrides: {} }, caller, { table, queue, clock, newId: earlierId });
    return { ...site, start, jobId: (await start()).jobId };
  }
  const work = async ({ siteId, jobId }: { siteId: string; jobId: string }): Promise<CrawlJob> => {
    for (let slices = 0; slices < 20; slices++) {
      const job = await jobOf(jobId);
      if (hasEnded(job)) return job;
      await runSlice({ siteId, jobId, slice: job.slice }, deps());
    }
    throw new Error('the job does not end');
  };

  it.each([-20 * SECOND, -HOUR, -DAY, DAY, 7 * DAY])('visits all pages if it is set by %d ms', async (change) => {
    const job = await started();
    let fetches = 0;
    onFetch = () => {
      if (++fetches % 10 === 0) set += change;
    };
    expect(await work(job)).toMatchObject({ endReason: 'done', indexed: PAGES.length + 1 });
  });

  it('does not wait for a pause or a lease that was stored before', async () => {
    const job = await started();
    const changes = { pausedUntil: clock() + 30 * SECOND };
    await Slice.claim({ ...job, slice: 0 }, deps());
    await table.update(jobKey(job.jobId), { set: changes });
    set = -HOUR;
    await reviveJobs({ table, queue, clock, trustLeases: true });
    const messages = await queue.receive('crawl', { max: 10, waitSeconds: 0 });
    expect(messages.map(({ body }) => JSON.parse(body))).toContainEqual({
      siteId: job.siteId,
      jobId: job.jobId,
      slice: 0,
    });
    expect((await work(job)).endReason).toBe('done');
  });

  it('counts the time in its slices, and a gap between them for a day at most', async () => {
    const job = await started();
    await Slice.claim({ ...job, slice: 0 }, deps());
    set = 30 * DAY;
    const slept = await Slice.claim({ ...job, slice: 0 }, deps());
    expect(slept?.isOverdue).toBe(false);
    for (let day = 0; day < 7; day++) {
      set += DAY;
      await Slice.claim({ ...job, slice: 0 }, deps());
    }
    expect(await work(job)).toMatchObject({ status: 'failed' });
  });

  it('a crawl ends after six hours in its slices', async () => {
    const job = await started();
    for (const [workedMs, isOverdue] of [[5.9 * HOUR, false] as const, [6.1 * HOUR, true] as const]) {
      await table.update(jobKey(job.jobId), { set: { workedMs } });
      expect((await Slice.claim({ ...job, slice: 0 }, deps()))?.isOverdue).toBe(isOverdue);
    }
  });

  it('a crawl is listed before earlier crawls', async () => {
    const job = await started();
    const ids = [job.jobId];
    for (let later = 0; later < 3; later++) {
      await cancelCrawl(ids.at(-1) ?? '', job, { table, queue, clock });
      set -= DAY;
      ids.push((await job.start()).jobId);
    }
    const listed = await listJobs(job.siteId, { limit: 2 }, table);
    const rest = await listJobs(job.siteId, { limit: 100, cursor: listed.next }, table);
    expect([...listed.items, ...rest.items].map(({ jobId }) => jobId)).toEqual(ids.reverse());
  });
});
