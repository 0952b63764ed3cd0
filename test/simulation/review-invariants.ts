import { type CrawlJob, hasEnded, isSweep, jobKey } from '../../lambdas/domain/crawl/jobs/job.ts';
import {
  PARTS,
  REVIEW_STATUSES,
  REVIEWS,
  type Review,
  reviewParts,
} from '../../lambdas/domain/crawl/reviews/review.ts';
import type { RegisteredPage } from '../../lambdas/domain/pages/page-registry.ts';
import { pageKey } from '../../lambdas/domain/pages/page-registry.ts';
import { type SiteSettings, type SiteState, settingsKey, stateKey } from '../../lambdas/domain/sites/site.ts';
import { urlHash } from '../../lambdas/text/web/url.ts';
import { fateOf } from './page-fate.ts';
import type { Simulation } from './simulation.ts';
import { ORIGIN } from './site-plan.ts';

/** Invariants of removals at the end of a run: each review ended in one state, and what is gone was removed. */
export function checkReviews(siteId: string, simulation: Simulation): void {
  const state = simulation.table.get(stateKey(siteId)) as unknown as SiteState | undefined;
  if (!state) return;
  if ((state.runningSweepId ?? null) !== null)
    simulation.report(`the site is locked by the sweep ${state.runningSweepId}`);
  const reviews = simulation.table.under(`SITE#${siteId}`, REVIEWS) as unknown as readonly Review[];
  const pending = reviews.filter(({ status }) => status === 'pending');
  if (pending.length > 1) simulation.report(`${pending.length} reviews are pending`);
  for (const review of reviews) checkReview(review, simulation);
  checkLastCrawl(state, simulation);
}

function checkReview(review: Review, simulation: Simulation): void {
  const { reviewId, jobId, status, urlCount } = review;
  const report = (what: string) => simulation.report(`review ${reviewId} (${status}): ${what}`);
  if (!REVIEW_STATUSES.includes(status)) report('has no such status');
  const job = simulation.table.get(jobKey(jobId)) as unknown as CrawlJob;
  if ((job.removed ?? 0) > 0) report('its pages were removed by the crawl');
  const sweep = simulation.table.get(jobKey(reviewId)) as unknown as CrawlJob | undefined;
  if ((status === 'approved') !== (sweep !== undefined)) report(`has ${sweep ? 'a' : 'no'} sweep`);
  if (!sweep) return;
  if (!hasEnded(sweep)) report('its sweep has not ended');
  if (sweep.status !== 'completed') return;
  const { removed = 0, kept = 0 } = sweep;
  if (removed + kept !== urlCount) report(`its sweep counts ${removed} and ${kept} of ${urlCount} pages`);
  for (const { url } of pagesOf(review, simulation))
    if (isWronglyKept(url, sweep, simulation)) report(`${url} stays, although it was approved and is gone`);
}

const pagesOf = ({ reviewId }: Review, { table }: Simulation) =>
  table
    .under(reviewParts(reviewId), PARTS)
    .flatMap(({ pages }) => pages as unknown as readonly { readonly url: string }[]);

/** Tells whether the sweep kept a page that was gone during the whole sweep, and that no later crawl has indexed. */
function isWronglyKept(url: string, sweep: CrawlJob, simulation: Simulation): boolean {
  const { table, site, guard, faults } = simulation;
  if (faults.kills + faults.seemingDeaths >= 3) return false; // it may have been in flight at each
  const row = table.get(pageKey(sweep.siteId, sweep.generation, { url, urlHash: urlHash(url) }));
  const { lastJobId = '' } = (row ?? {}) as Partial<RegisteredPage>;
  const indexedBy = table.get(jobKey(lastJobId)) as unknown as CrawlJob | undefined;
  if (!row || !indexedBy || guard.endedAt(indexedBy.jobId) >= guard.beganAt(sweep.jobId)) return false;
  const plans = site.plansBetween(guard.beganAt(sweep.jobId), guard.endedAt(sweep.jobId));
  return plans.every((plan) => fateOf(url.slice(ORIGIN.length), plan) === 'gone');
}

/** A last crawl without faults, and without pages that do not answer, has removed all that is gone or holds it. */
function checkLastCrawl({ lastCrawl, generation }: SiteState, simulation: Simulation): void {
  const { table, site, guard, faults } = simulation;
  const job = table.get(jobKey(lastCrawl?.jobId ?? '')) as unknown as CrawlJob | undefined;
  if (job?.endReason !== 'done' || job.held !== undefined || isSweep(job)) return;
  const { removalPolicy } = table.get(settingsKey(job.siteId)) as unknown as SiteSettings;
  if (removalPolicy.mode === 'never' || job.failed > 0 || faults.kills + faults.seemingDeaths + faults.failures > 0)
    return;
  const plan = site.planAt(guard.beganAt(job.jobId));
  const prefix = `G#${String(generation).padStart(8, '0')}#PAGE#`;
  for (const row of table.under(`SITE#${job.siteId}`, prefix)) {
    const { url, lastJobId } = row as unknown as RegisteredPage;
    if (lastJobId !== job.jobId && fateOf(url.slice(ORIGIN.length), plan) === 'gone')
      simulation.report(`${job.jobId} keeps ${url}, which is gone`);
  }
}
