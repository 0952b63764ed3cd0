import { epochSeconds } from '../../clock.ts';
import type { Change } from '../../ports/table.ts';
import {
  everyPart,
  type GonePage,
  PAGES_PER_PART,
  partItem,
  pendingReviews,
  type Review,
  reviewKey,
} from '../../reviews/review.ts';
import { addEvent } from '../../webhooks/outbox.ts';
import type { Slice } from '../job/slice.ts';
import { everyGone } from './probe-rows.ts';

/** Even with long URLs, this number of parts stays within the 4 MB of a write. */
const PARTS_PER_WRITE = 10;

/** Makes the review of a crawl's removals, unless an earlier holder of the lease has made it. */
export async function holdRemoval(slice: Slice, urlCount: number, crawledPages: number): Promise<void> {
  const { job, clock } = slice;
  const { siteId, jobId, reviewId, generation, baseUrl, movedFrom } = job;
  if (reviewId === undefined) return;
  const parts = await writeParts(slice, reviewId);
  const review: Review = {
    ...{ reviewId, siteId, jobId, generation, baseUrl, urlCount, parts },
    ...(movedFrom !== undefined && { movedFrom }),
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

/** A newer complete crawl knows better. One with a saved scope only replaces reviews of such crawls. */
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

/** They are needed only as long as the review can be approved. */
async function removeParts(reviewId: string, slice: Slice): Promise<void> {
  for await (const { pk, sk } of everyPart(reviewId, slice.table)) await slice.write([{ remove: { pk, sk } }]);
}
