import * as z from 'zod';
import { REMOVAL_REASONS, REVIEW_STATUSES } from '../domain/crawl/reviews/review.ts';
import { Cursor, pageQuery, SiteParams } from './parameters.ts';
import { Count, EpochSeconds, paging } from './response-fields.ts';
import { admin, member, type Route } from './route.ts';

const Sweep = z.object({
  status: z.enum(['running', 'done', 'failed']).describe('`failed`: the pages it has not deleted stay'),
  deleted: Count.describe('pages that are no longer in the index'),
  kept: Count.describe('pages that exist again, or whose server did not say that they are gone'),
});

const ReviewId = z.uuid().describe('the id of the review');

export const Review = z
  .object({
    reviewId: ReviewId,
    siteId: SiteParams.shape.siteId,
    jobId: z.uuid().describe('the crawl that found the pages gone'),
    status: z.enum(REVIEW_STATUSES).describe('`superseded`: a later crawl or a purge made it void'),
    urlCount: Count.describe('pages that would be removed'),
    share: z.number().min(0).max(1).describe('the share of the crawled pages of the site'),
    urlsAvailable: z.boolean().describe('whether the list of its URLs can be read'),
    createdAt: EpochSeconds.describe('when the crawl held it, in epoch seconds'),
    decidedAt: EpochSeconds.nullable().describe('when it was approved or rejected, in epoch seconds; null: not yet'),
    sweep: Sweep.optional().describe('present after approval'),
  })
  .meta({ id: 'Review' });

export const ReviewWithUrls = Review.extend({
  urls: z.array(z.string()).max(10_000).nullable().describe('null if they cannot be read'),
  reasons: z.array(z.enum(REMOVAL_REASONS)).nullable().describe('in the order of `urls`'),
  ...paging,
}).meta({ id: 'ReviewWithUrls' });

const ReviewList = z
  .object({ reviews: z.array(Review).describe('newest first'), ...paging })
  .meta({ id: 'ReviewList' });

const ReviewParams = SiteParams.extend({ reviewId: ReviewId });

export const reviews = {
  'list-reviews': {
    method: 'get',
    paths: ['/sites/{siteId}/reviews'],
    summary: 'List the reviews of held removals, newest first',
    access: member,
    params: SiteParams,
    query: pageQuery({ maxLimit: 100 }),
    status: 200,
    response: ReviewList,
  },
  'get-review': {
    method: 'get',
    paths: ['/sites/{siteId}/reviews/{reviewId}'],
    summary: 'Get a review with its URLs, 10,000 per page',
    access: member,
    params: ReviewParams,
    query: z.object({ cursor: Cursor.optional() }),
    status: 200,
    response: ReviewWithUrls,
  },
  'approve-review': {
    method: 'post',
    effect: 'destroys',
    paths: ['/sites/{siteId}/reviews/{reviewId}/approve'],
    summary: 'Approve a removal: fetch every URL again and delete the pages still gone',
    uses: ['table'],
    sends: ['crawl', 'render'],
    access: admin,
    params: ReviewParams,
    status: 200,
    response: Review,
    errors: ['review_not_pending', 'urls_unavailable', 'address_mismatch', 'review_changed', 'sweep_running'],
  },
  'reject-review': {
    method: 'post',
    paths: ['/sites/{siteId}/reviews/{reviewId}/reject'],
    summary: 'Reject a removal: keep its pages',
    uses: ['table'],
    access: admin,
    params: ReviewParams,
    status: 200,
    response: Review,
    errors: ['review_changed'],
  },
} as const satisfies Record<string, Route>;
