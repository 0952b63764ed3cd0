import { defined } from '../../../text/defined.ts';
import type { TableReader } from '../../ports/table.ts';
import { pagesLimit } from '../../sites/access/plan.ts';
import { shownWarnings } from '../../sites/settings-warnings.ts';
import type { SiteState } from '../../sites/site.ts';
import { type CrawlJob, readJob } from './job.ts';
import { outcomesView, unvisitedUrls } from './outcome-counts.ts';

/** Returns the job as the API shows it. URLs still queued at its end count as skipped: `over_limit` or `cancelled`. */
export function jobView(job: CrawlJob) {
  const errored = job.gone + job.failed;
  const outcomes = outcomesView(job);
  return {
    jobId: job.jobId,
    siteId: job.siteId,
    taskId: `${job.jobId}#${job.slice}`,
    status: job.status,
    pagesDiscovered: job.discovered,
    pagesCrawled: job.answered,
    pagesProcessed: job.indexed + job.unchanged,
    pagesSkipped: job.skipped + job.duplicate + unvisitedUrls(job),
    pagesErrored: errored,
    errors: errored,
    ...(outcomes && { outcomes }),
    pagesRemoved: job.removed ?? 0,
    ...(job.nearDuplicates && { nearDuplicates: job.nearDuplicates }),
    ...(job.held !== undefined && job.reviewId !== undefined && { pagesHeld: job.held, reviewId: job.reviewId }),
    ...(job.dryRun && { dryRun: planView(job) }),
    createdAt: job.createdAt,
    ...defined({ startedAt: job.startedAt }),
    completedAt: job.completedAt ?? null,
    ...defined({ currentUrl: job.currentUrl }),
    ...shownWarnings(job.warnings ?? []),
    ...defined({ endReason: job.endReason }),
    ...errorOf(job),
    ...(job.pagesForgotten && { pagesAvailable: false }),
  };
}

/** Returns the result of a dry run. `gone` is known once the dry run has seen the whole site. */
const planView = ({ added = 0, changed = 0, unchanged, plannedTokens = 0, goneCount, gonePages }: CrawlJob) => ({
  added,
  changed,
  unchanged,
  embeddingTokens: plannedTokens,
  ...(goneCount !== undefined && { gone: goneCount, gonePages: gonePages ?? [] }),
});

/** Returns the error. A completed job has one if the plan's quota left out pages. */
function errorOf({ error, hasReachedQuota, pageQuota = 0 }: CrawlJob): { readonly error?: string } {
  if (error !== undefined) return { error };
  return hasReachedQuota ? { error: `New pages were left out. ${pagesLimit(pageQuota, pageQuota)}` } : {};
}

/** Returns the site's last crawl that has ended, with its URLs by outcome; empty if there was none. */
export async function lastCrawlView({ lastCrawl }: SiteState, table: TableReader) {
  const job = lastCrawl && (await readJob(lastCrawl.jobId, table));
  if (!lastCrawl || !job) return {};
  const { jobId, endReason, completedAt, discovered, indexed, unchanged, duplicate, gone, failed } = job;
  return {
    lastCrawl: {
      jobId,
      status: lastCrawl.status,
      discovered,
      indexed,
      unchanged,
      duplicate,
      skipped: job.skipped + unvisitedUrls(job),
      gone,
      failed,
      ...defined({ endReason, completedAt }),
    },
  };
}
