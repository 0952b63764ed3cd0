import { defined } from '../../../text/defined.ts';
import { originOf } from '../../../text/web/url.ts';
import { storedRobots } from '../../crawl/fetch/job-robots.ts';
import { isSitemapOf } from '../../crawl/fetch/sitemaps.ts';
import { LISTED_JOBS } from '../../crawl/jobs/forget-job-pages.ts';
import { type CrawlJob, jobsOf } from '../../crawl/jobs/job.ts';
import { jobPages, jobPageView } from '../../crawl/jobs/job-pages.ts';
import type { JobUrl } from '../../crawl/jobs/url-rows.ts';
import type { TableReader } from '../../ports/table.ts';
import { robotsDecision } from './robots-decision.ts';

type Met = { readonly job: CrawlJob; readonly row: JobUrl };

/** Maximum number of steps from a URL to the page that is indexed instead. */
const MAX_STEPS = 10;

/** Returns what the newest crawls with stored URLs found out about one URL, newest first. */
export async function crawlHistory(url: string, siteId: string, table: TableReader) {
  const jobs = (await jobsOf(siteId, { limit: LISTED_JOBS }, table)).items.filter(({ dryRun }) => !dryRun);
  const met = (await Promise.all(jobs.map((job) => metBy(job, url, table)))).flatMap((one) => one ?? []);
  const robots = await lastRobots(jobs, url, table);
  const [last] = met;
  const [newest] = jobs;
  return {
    ...(newest && { lastCrawl: crawlView(newest) }),
    ...(robots && { robots }),
    ...(last && { lastMet: { ...(await foundBy(last, table)), leadsTo: await leadsTo(last, table) } }),
    history: met.map(({ job, row }) => ({
      jobId: job.jobId,
      jobStatus: job.status,
      createdAt: job.createdAt,
      ...jobPageView(row),
    })),
  };
}

const crawlView = ({ jobId, status, endReason, error }: CrawlJob) => ({
  jobId,
  status,
  ...defined({ endReason, error }),
});

export type CrawlHistory = Awaited<ReturnType<typeof crawlHistory>>;

async function metBy(job: CrawlJob, url: string, table: TableReader): Promise<Met | undefined> {
  const [row] = (await jobPages(job, { url, limit: 1 }, table)).items;
  return row && { job, row };
}

async function foundBy({ job, row }: Met, table: TableReader) {
  if (row.isStart && row.foundOn === undefined) return { foundBy: 'start' as const };
  if (row.foundOn === undefined) return { foundBy: 'list' as const };
  const isSitemap = await isSitemapOf(job, row.foundOn, table);
  return isSitemap
    ? { foundBy: 'sitemap' as const, sitemap: row.foundOn }
    : { foundBy: 'page' as const, foundOn: row.foundOn };
}

/** Returns the URLs to which redirects, canonicals and equal texts lead from there, in order. */
async function leadsTo({ job, row }: Met, table: TableReader) {
  const steps: ReturnType<typeof jobPageView>[] = [];
  const seen = new Set([row.url]);
  for (let { target } = row; target !== undefined && !seen.has(target) && steps.length < MAX_STEPS; ) {
    seen.add(target);
    const next = await metBy(job, target, table);
    if (!next) break;
    steps.push(jobPageView(next.row));
    ({ target } = next.row);
  }
  return steps;
}

/** Returns the decision of the newest robots.txt of the URL's origin that a crawl has read. */
async function lastRobots(jobs: readonly CrawlJob[], url: string, table: TableReader) {
  for (const job of jobs.filter(({ baseUrl }) => originOf(baseUrl) === originOf(url))) {
    const robots = await storedRobots(job, table);
    if (robots) return { ...robotsDecision(robots, url), jobId: job.jobId };
  }
  return undefined;
}
