import { urlHash } from '../../../text/web/url.ts';
import { everyItem } from '../../every-item.ts';
import type { Item, Key, TableReader } from '../../ports/table.ts';
import type { Outcome, Reason } from '../jobs/outcomes.ts';

/*
 * A review holds the removal of pages that a crawl found gone until somebody decides. Its record is an item of the
 * site. Its pages are in separate items, in parts, because there may be a million.
 */

export const REMOVAL_REASONS = [
  '404',
  '410',
  'noindex',
  'redirect',
  'canonical',
  'duplicate',
  'empty',
  'soft_404',
  'content_type',
  'encrypted',
  'scanned',
  'robots',
  'excluded',
  'not_included',
] as const satisfies readonly (Reason | Outcome)[];
export type RemovalReason = (typeof REMOVAL_REASONS)[number];

export type GonePage = { readonly url: string; readonly reason: RemovalReason };

export const REVIEW_STATUSES = ['pending', 'approved', 'rejected', 'superseded'] as const;

export type Review = {
  readonly reviewId: string;
  readonly siteId: string;
  /** The crawl that found the pages gone. */
  readonly jobId: string;
  readonly status: (typeof REVIEW_STATUSES)[number];
  readonly urlCount: number;
  /** Number of parts in which the pages are stored. */
  readonly parts: number;
  /** Share of the site's crawled pages, 0 to 1. */
  readonly share: number;
  readonly generation: number;
  /** The base URL of the crawl, whose rules apply to the sweep too. */
  readonly baseUrl: string;
  readonly movedFrom?: string;
  /** Whether the crawl visited only a saved scope. */
  readonly isListed: boolean;
  readonly createdAt: number;
  readonly decidedAt?: number;
};

export const REVIEWS = 'REVIEW#';
export const reviewKey = (siteId: string, reviewId: string): Key => ({
  pk: `SITE#${siteId}`,
  sk: REVIEWS + reviewId,
});

/** Maximum number of pages in a part: with the job's item they fit into a write of the table. */
export const PAGES_PER_PART = 90;
export type ReviewPart = { readonly pages: readonly GonePage[] };

export const reviewParts = (reviewId: string): string => `${REVIEWS}${reviewId}`;
export const PARTS = 'URLS#';
export const partKey = (reviewId: string, part: number): Key => ({
  pk: reviewParts(reviewId),
  sk: PARTS + String(part).padStart(6, '0'),
});
export const partItem = (reviewId: string, part: number, pages: readonly GonePage[]): Item => ({
  ...partKey(reviewId, part),
  pages,
});

/** Number of the newest reviews that are read. A newer crawl supersedes older reviews. */
const NEWEST = 100;

export async function pendingReviews(siteId: string, table: TableReader): Promise<readonly Review[]> {
  const newest = await table.query<Review>(`SITE#${siteId}`, { prefix: REVIEWS, descending: true, limit: NEWEST });
  return newest.items.filter(({ status }) => status === 'pending');
}

export const everyPart = (reviewId: string, table: TableReader, after?: string) =>
  everyItem<ReviewPart>(table, reviewParts(reviewId), PARTS, after);

/** Finds a page of a review by a binary search over its parts, which are in the order of the URLs' hashes. */
export async function heldPage(
  { reviewId, parts }: Pick<Review, 'reviewId' | 'parts'>,
  url: string,
  table: TableReader,
): Promise<GonePage | undefined> {
  const hash = urlHash(url);
  for (let [first, last] = [0, parts - 1]; first <= last; ) {
    const middle = Math.floor((first + last) / 2);
    const pages = (await table.get<ReviewPart>(partKey(reviewId, middle)))?.pages ?? [];
    const page = pages.find((one) => one.url === url);
    if (page || pages[0] === undefined) return page;
    if (hash < urlHash(pages[0].url)) last = middle - 1;
    else first = middle + 1;
  }
  return undefined;
}
