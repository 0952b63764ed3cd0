import { beforeEach, describe, expect, it } from '@jest/globals';
import { LISTED_JOBS } from '../../../../lambdas/domain/crawl/jobs/forget-job-pages.ts';
import { type CrawlJob, jobKey, jobsOf } from '../../../../lambdas/domain/crawl/jobs/job.ts';
import { endJob } from '../../../../lambdas/domain/crawl/jobs/job-end.ts';
import { jobPages } from '../../../../lambdas/domain/crawl/jobs/job-pages.ts';
import { jobView } from '../../../../lambdas/domain/crawl/jobs/job-view.ts';
import { startCrawl } from '../../../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { cleanUpSite } from '../../../../lambdas/domain/pages/removal/clean-up.ts';
import { newId } from '../../../../lambdas/runtime/system.ts';
import { IngestSite } from '../../../support/ingest-site.ts';
import { eventLog, pageIndex, pageStore, queue, table, timetable } from '../../../support/memory/stores.ts';

const clock = Date.now;

describe('the URLs of crawl jobs', () => {
  let site: IngestSite;

  beforeEach(async () => {
    site = await IngestSite.open();
  });

  const crawl = async (isEnded = true): Promise<void> => {
    const caller = { orgId: site.orgId, plan: 'pro' } as const;
    const deps = { table, queue, clock, newId };
    const { jobId } = await startCrawl({ siteId: site.siteId, overrides: {} }, caller, deps);
    const job = (await table.get<CrawlJob>(jobKey(jobId))) as CrawlJob;
    if (isEnded) await endJob(job, { status: 'completed', endReason: 'done' }, {}, { table, clock });
  };
  const jobs = async () => (await jobsOf(site.siteId, { limit: 100 }, table)).items;
  const numbersOfUrls = async () =>
    Promise.all((await jobs()).map(async (job) => (await jobPages(job, { limit: 10 }, table)).items.length));
  const cleanUp = (over: { readonly clock?: () => number } = {}) =>
    cleanUpSite({ siteId: site.siteId }, { table, pageStore, pageIndex, eventLog, queue, timetable, clock, ...over });

  it('the URLs of the newest ten jobs are kept; older jobs keep their counts', async () => {
    for (let n = 0; n < LISTED_JOBS + 3; n++) await crawl();
    await cleanUp();
    expect(await numbersOfUrls()).toEqual([...Array.from({ length: LISTED_JOBS }, () => 1), 0, 0, 0]);
    const views = (await jobs()).map(jobView);
    expect(views.map(({ pagesDiscovered }) => pagesDiscovered)).toEqual(views.map(() => 1));
    expect(views.map(({ pagesAvailable = true }) => pagesAvailable)).toEqual(
      views.map((_, position) => position < LISTED_JOBS),
    );
  });

  it('the URLs of old jobs are removed one job at a time, and those of a running job stay', async () => {
    for (let n = 0; n < LISTED_JOBS; n++) await crawl();
    for (let n = 0; n < 3; n++) {
      await crawl();
      await cleanUp();
    }
    await crawl(false);
    await cleanUp();
    expect((await numbersOfUrls()).filter((number) => number === 1)).toHaveLength(LISTED_JOBS);
  });

  it('the next clean-up removes the URLs of jobs if one runs out of time', async () => {
    for (let n = 0; n < LISTED_JOBS + 2; n++) await crawl();
    let now = 0;
    await cleanUp({ clock: () => (now += 61_000) });
    await cleanUp();
    expect((await numbersOfUrls()).filter((number) => number === 1)).toHaveLength(LISTED_JOBS);
  });
});
