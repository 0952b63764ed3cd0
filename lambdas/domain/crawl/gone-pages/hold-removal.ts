import { defined } from '../../../text/defined.ts';
import { epochSeconds } from '../../clock.ts';
import type { Change } from '../../ports/table.ts';
import type { RemovalPolicy } from '../../sites/site-settings.ts';
import { addEvent } from '../../webhooks/outbox.ts';
import type { Slice } from '../jobs/slice.ts';
import {
  everyPart,
  type GonePage,
  PAGES_PER_PART,
  partItem,
  pendingReviews,
  type RemovalReason,
  type Review,
  reviewKey,
} from '../reviews/review.ts';
import { everyGone } from './probe-rows.ts';

/** Keeps a write of this many parts within 4 MB, even with long URLs. */
const PARTS_PER_WRITE = 10;

/** Creates the review of a crawl's removals, unless an earlier holder of the lease has created it. */
export async function holdRemoval(slice: Slice, urlCount: number, crawledPages: number): Promise<void> {
  const { job, clock } = slice;
  const { siteId, jobId, reviewId, generation, baseUrl, movedFrom } = job;
  if (reviewId === undefined) return;
  const parts = await writeParts(slice, reviewId);
  const review: Review = {
    reviewId,
    siteId,
    jobId,
    generation,
    baseUrl,
    urlCount,
    parts,
    ...defined({ movedFrom }),
    status: 'pending',
    share: Math.min(1, urlCount / Math.max(1, crawledPages)),
    isListed: job.listedBy !== undefined,
    createdAt: epochSeconds(clock),
  };
  const made = { put: { ...reviewKey(siteId, reviewId), ...review }, when: { exists: false } };
  const event = addEvent({ siteId, type: 'review.created', subjectId: reviewId, occurredAt: review.createdAt });
  await slice.write([made, event], { set: { held: urlCount } });
}

async function writeParts(slice: Slice, reviewId: string): Promise<number> {
  let parts = 0;
  let changes: Change[] = [];
  const write = async () => {
    if (changes.length > 0) await slice.write(changes);
    changes = [];
  };
  let pages: GonePage[] = [];
  const endPart = async () => {
    if (pages.length > 0) changes.push({ put: partItem(reviewId, parts++, pages) });
    pages = [];
    if (changes.length >= PARTS_PER_WRITE) await write();
  };
  for await (const { url, reason } of everyGone(slice)) {
    pages.push({ url, reason });
    if (pages.length === PAGES_PER_PART) await endPart();
  }
  await endPart();
  await write();
  return parts;
}

/** Replaces older reviews. A crawl of a saved scope only replaces reviews of such crawls. */
export async function supersedeReviews(slice: Slice): Promise<void> {
  const { job, table, clock } = slice;
  for (const { reviewId, isListed } of await pendingReviews(job.siteId, table)) {
    if (reviewId === job.reviewId || (job.listedBy !== undefined && !isListed)) continue;
    const refused = await slice.write([
      {
        update: reviewKey(job.siteId, reviewId),
        set: { status: 'superseded', decidedAt: epochSeconds(clock) },
        when: { equals: { status: 'pending' } },
      },
    ]);
    if (refused.length === 0) await removeParts(reviewId, slice);
  }
}

/** Removes the parts of a review, which are needed only while it can be approved. */
async function removeParts(reviewId: string, slice: Slice): Promise<void> {
  for await (const { pk, sk } of everyPart(reviewId, slice.table)) await slice.write([{ remove: { pk, sk } }]);
}

/** Reasons that concern one page. All others may have one cause for the whole site. */
const OF_ONE_PAGE: ReadonlySet<RemovalReason> = new Set<RemovalReason>(['404', '410']);
/** With fewer pages, a share of more than half tells little. */
const MIN_WITH_ONE_CAUSE = 3;

export type Losses = ReadonlyMap<RemovalReason, number>;

/**
 * Returns whether a removal needs a review: many pages and a large share would be removed, or, on a site too small for
 * the first rule, more than half of the pages for one reason that a fault of the whole site explains, such as a login
 * page (docs/decisions/009-removals.md).
 */
export function mustHold(losses: Losses, crawledPages: number, policy: RemovalPolicy): boolean {
  const count = [...losses.values()].reduce((sum, ofReason) => sum + ofReason, 0);
  if (policy.mode !== 'hold' || count <= (policy.holdPercent / 100) * crawledPages) return false;
  return count >= policy.minPages || haveOneCause(losses, crawledPages);
}

const haveOneCause = (losses: Losses, crawledPages: number): boolean =>
  [...losses].some(
    ([reason, count]) => !OF_ONE_PAGE.has(reason) && count >= MIN_WITH_ONE_CAUSE && count > crawledPages / 2,
  );
