import { defined } from '../../../text/defined.ts';
import { originOf } from '../../../text/web/url.ts';
import { type Clock, epochSeconds } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table } from '../../ports/table.ts';
import { crawlerConfigOf, type SiteRecord, stateKey } from '../../sites/site.ts';
import { type CrawlJob, jobKey, runningKey, sendSlice } from '../jobs/job.ts';
import { FIRST_SLICE_SECONDS, NO_OUTCOMES } from '../jobs/start-crawl.ts';
import { hasUrls, ownReview, reviewView } from './read-reviews.ts';
import { type Review, reviewKey } from './review.ts';

/*
 * If two people decide at once, one wins, because both write the review on the condition that it is pending. An
 * approval starts the sweep and locks the site's sweeps in the same write.
 */

type ReviewIds = Pick<Review, 'siteId' | 'reviewId'>;
type Caller = { readonly orgId: string };
type ApproveDeps = { readonly table: Table; readonly queue: Queue; readonly clock: Clock };

/** Approves a review and starts its sweep, which probes every page again and removes those that are still gone. */
export async function approveReview(ids: ReviewIds, caller: Caller, { table, queue, clock }: ApproveDeps) {
  const { review, site } = await ownReview(ids, caller, table);
  await assertApprovable(review, site, table);
  const { siteId, reviewId, generation } = review;
  const now = epochSeconds(clock);
  const decided = decide(review, 'approved', now);
  const sweep = sweepOf(review, site, now);
  const lock = {
    update: stateKey(siteId),
    set: { runningSweepId: reviewId },
    when: { exists: true, equals: { generation, runningSweepId: null } },
  };
  const refused = await table.write([
    decided,
    lock,
    { put: { ...jobKey(reviewId), ...sweep } },
    { put: { ...runningKey(reviewId), jobId: reviewId } },
  ]);
  if (refused.length > 0) throw await refusal(ids, caller, refused.includes(decided), table);
  await sendSlice(sweep, queue);
  return reviewView((await ownReview(ids, caller, table)).review, table);
}

/** Returns why the write of an approval was refused: somebody else has decided, or another sweep has begun. */
async function refusal(ids: ReviewIds, caller: Caller, isDecided: boolean, table: Table): Promise<AppError> {
  if (isDecided) return changed();
  const { review, site } = await ownReview(ids, caller, table);
  await assertApprovable(review, site, table);
  return changed();
}

/** Rejects a review, so that its pages stay. */
export async function rejectReview(
  ids: ReviewIds,
  caller: Caller,
  { table, clock }: Pick<ApproveDeps, 'table' | 'clock'>,
) {
  const { review } = await ownReview(ids, caller, table);
  if (review.status !== 'pending') throw changed();
  const refused = await table.write([decide(review, 'rejected', epochSeconds(clock))]);
  if (refused.length > 0) throw changed();
  return reviewView((await ownReview(ids, caller, table)).review, table);
}

async function assertApprovable(review: Review, { settings, state }: SiteRecord, table: Table): Promise<void> {
  if (review.status !== 'pending')
    throw new AppError('review_not_pending', `The review is not pending: it is ${review.status}.`);
  if (!(await hasUrls(review, table)))
    throw new AppError(
      'urls_unavailable',
      'The URLs of the review cannot be read, so nothing is deleted. The next crawl makes a new review.',
    );
  const address = originOf(state.effectiveBaseUrl ?? settings.baseUrl);
  if (address !== originOf(review.baseUrl))
    throw new AppError(
      'address_mismatch',
      `The review is about pages of ${originOf(review.baseUrl)}, but the site is at ${address} now. Start a new crawl.`,
    );
  if ((state.runningSweepId ?? null) !== null) throw sweepRunning();
}

const decide = ({ siteId, reviewId }: Review, status: Review['status'], now: number) => ({
  update: reviewKey(siteId, reviewId),
  set: { status, decidedAt: now },
  when: { exists: true, equals: { status: 'pending' } },
});

const changed = (): AppError =>
  new AppError('review_changed', 'The review has been decided or superseded meanwhile. Read it again.');

const sweepRunning = (): AppError =>
  new AppError('sweep_running', 'Pages of another review of this site are being deleted. Wait until that has ended.');

/** Returns the sweep of a review. It follows the present settings of the site. */
function sweepOf(review: Review, site: SiteRecord, now: number): CrawlJob {
  const { reviewId, siteId, generation, baseUrl, movedFrom } = review;
  const { orgId, privateHost } = site.settings;
  const { singleUrls, ...config } = crawlerConfigOf(site);
  return {
    jobId: reviewId,
    siteId,
    orgId,
    generation,
    baseUrl,
    config,
    phase: 'sweep',
    status: 'pending',
    createdAt: now,
    slice: 0,
    fence: 0,
    leaseUntil: now + FIRST_SLICE_SECONDS,
    inFlight: [],
    poisonUrls: [],
    crashes: {},
    ...NO_OUTCOMES,
    discovered: 0,
    ...defined({ movedFrom, privateHost }),
  };
}
