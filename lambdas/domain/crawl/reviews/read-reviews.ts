import { NotFoundError } from '../../errors.ts';
import type { Listing, TableReader } from '../../ports/table.ts';
import { ownSite, type SiteRecord } from '../../sites/site.ts';
import { unknownCursor } from '../../unknown-cursor.ts';
import { type CrawlJob, jobKey } from '../jobs/job.ts';
import {
  PAGES_PER_PART,
  partKey,
  REVIEWS,
  type RemovalReason,
  type Review,
  type ReviewPart,
  reviewKey,
} from './review.ts';

/** Maximum number of URLs in an answer. Long URLs allow fewer, because an API answer has at most 6 MB. */
const URLS_AT_ONCE = 10_000;
const CHARACTERS_AT_ONCE = 3_000_000;

type Caller = { readonly orgId: string };

/** A review and its site. The review is current while the site holds the pages in question. */
export type OwnReview = { readonly review: Review; readonly site: SiteRecord };

export async function ownReview(
  { siteId, reviewId }: Pick<Review, 'siteId' | 'reviewId'>,
  { orgId }: Caller,
  table: TableReader,
): Promise<OwnReview> {
  const site = await ownSite(siteId, orgId, table);
  const review = await table.get<Review>(reviewKey(siteId, reviewId));
  if (!review) throw new NotFoundError('Review');
  return { review: presentReview(review, site), site };
}

/** Returns the review as it is now. A purge of the site supersedes a pending review. */
const presentReview = (review: Review, { state }: SiteRecord): Review =>
  review.status === 'pending' && review.generation !== state.generation ? { ...review, status: 'superseded' } : review;

/** Lists the reviews of a site, newest first. */
export async function listReviews(
  siteId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  caller: Caller,
  table: TableReader,
): Promise<Listing<ReviewView>> {
  const site = await ownSite(siteId, caller.orgId, table);
  if (cursor !== undefined && !(await isReviewOf(siteId, cursor, table))) throw unknownCursor();
  const after = cursor === undefined ? {} : { after: REVIEWS + cursor };
  const page = await table.query<Review>(`SITE#${siteId}`, { prefix: REVIEWS, descending: true, limit, ...after });
  const items = await Promise.all(page.items.map((review) => reviewView(presentReview(review, site), table)));
  return { items, ...(page.next !== undefined && { next: page.next.slice(REVIEWS.length) }) };
}

const ID_CHARACTERS = 36;
const isReviewOf = async (siteId: string, reviewId: string, table: TableReader): Promise<boolean> =>
  reviewId.length === ID_CHARACTERS && (await table.get(reviewKey(siteId, reviewId))) !== undefined;

/** Returns the review with as many URLs as one answer holds. `cursor` is the previous answer's last part. */
export async function getReview(
  ids: Pick<Review, 'siteId' | 'reviewId'> & { readonly cursor?: string | undefined },
  caller: Caller,
  table: TableReader,
) {
  const { review } = await ownReview(ids, caller, table);
  const view = await reviewView(review, table);
  const page = view.urlsAvailable ? await readUrls(review, ids.cursor, table) : undefined;
  return {
    ...view,
    urlsAvailable: page !== undefined,
    urls: page?.urls ?? null,
    reasons: page?.reasons ?? null,
    next: page?.next,
  };
}

type UrlPage = {
  readonly urls: readonly string[];
  readonly reasons: readonly RemovalReason[];
  readonly next: string | undefined;
};

/** Reads URLs of the review; undefined if a part is missing. */
async function readUrls(
  { reviewId, parts }: Review,
  cursor: string | undefined,
  table: TableReader,
): Promise<UrlPage | undefined> {
  const first = cursor === undefined ? 0 : partAfter(cursor, parts);
  const most = Math.floor(URLS_AT_ONCE / PAGES_PER_PART);
  const keys = Array.from({ length: Math.max(0, Math.min(most, parts - first)) }, (_, index) => first + index);
  const urls: string[] = [];
  const reasons: RemovalReason[] = [];
  let characters = 0;
  let last = first - 1;
  for (const part of keys) {
    const item = await table.get<ReviewPart>(partKey(reviewId, part));
    if (!item) return undefined;
    urls.push(...item.pages.map(({ url }) => url));
    reasons.push(...item.pages.map(({ reason }) => reason));
    last = part;
    characters += item.pages.reduce((sum, { url }) => sum + url.length, 0);
    if (characters > CHARACTERS_AT_ONCE) break;
  }
  return { urls, reasons, next: last + 1 < parts ? String(last) : undefined };
}

function partAfter(cursor: string, parts: number): number {
  const next = /^\d{1,6}$/.test(cursor) ? Number(cursor) + 1 : parts;
  if (next >= parts) throw unknownCursor();
  return next;
}

/** Returns whether the review's URLs can be read, judging by the first and the last part. */
export async function hasUrls({ reviewId, parts }: Review, table: TableReader): Promise<boolean> {
  const ends = await table.getMany([partKey(reviewId, 0), partKey(reviewId, Math.max(0, parts - 1))]);
  return parts > 0 && ends.every((part) => part !== undefined);
}

export type ReviewView = Awaited<ReturnType<typeof reviewView>>;

export async function reviewView(review: Review, table: TableReader) {
  const { reviewId, siteId, jobId, status, urlCount, share, createdAt, decidedAt } = review;
  const sweep = status === 'approved' ? await table.get<CrawlJob>(jobKey(reviewId)) : undefined;
  return {
    reviewId,
    siteId,
    jobId,
    status,
    urlCount,
    share,
    createdAt,
    urlsAvailable: await hasUrls(review, table),
    decidedAt: decidedAt ?? null,
    ...(status === 'approved' && { sweep: sweepView(sweep) }),
  };
}

function sweepView(sweep: CrawlJob | undefined) {
  const { status, removed = 0, kept = 0 } = sweep ?? { status: 'failed' };
  const isRunning = status === 'pending' || status === 'running';
  const shown = isRunning ? 'running' : status === 'completed' ? 'done' : 'failed';
  return { status: shown, deleted: removed, kept } as const;
}
