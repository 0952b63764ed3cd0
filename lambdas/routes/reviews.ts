import * as z from 'zod';
import type { Outcome, Reason } from '../core/crawl/job/outcomes.ts';
import { Count, EpochSeconds, paging } from './answers.ts';
import { Cursor, pagedBy, SiteParams } from './parameters.ts';
import type { Route } from './route.ts';

/** Why a page is to be removed: those ends of a URL that say that it is gone for good. */
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
  'robots',
  'excluded',
  'not_included',
] as const satisfies readonly (Reason | Outcome)[];

const Sweep = z.object({
  status: z.enum(['running', 'done', 'failed']),
  deleted: Count,
  kept: Count.describe('they have returned'),
});

export const Review = z
  .object({
    reviewId: z.uuid(),
    siteId: z.uuid(),
    jobId: z.uuid(),
    status: z.enum(['pending', 'approved', 'rejected', 'superseded']),
    urlCount: Count,
    share: z.number().min(0).max(1).describe('of the crawled pages of the site'),
    urlsAvailable: z.boolean(),
    createdAt: EpochSeconds,
    decidedAt: EpochSeconds.nullable(),
    sweep: Sweep.optional().describe('once approved'),
  })
  .meta({ id: 'Review' });

export const ReviewWithUrls = Review.extend({
  urls: z.array(z.string()).max(10_000).nullable().describe('null when they cannot be read'),
  reasons: z.array(z.enum(REMOVAL_REASONS)).nullable().describe('in the order of `urls`'),
  ...paging,
}).meta({ id: 'ReviewWithUrls' });

const ReviewParams = SiteParams.extend({ reviewId: z.uuid() });

export const reviews = {
  'list-reviews': {
    method: 'get',
    paths: ['/sites/{siteId}/reviews'],
    summary: 'Removals held for approval and those decided, newest first',
    access: { role: 'member' },
    params: SiteParams,
    query: z.object(pagedBy({ most: 100 })),
    status: 200,
    response: z.object({ reviews: z.array(Review), ...paging }),
    pending: true,
  },
  'get-review': {
    method: 'get',
    paths: ['/sites/{siteId}/reviews/{reviewId}'],
    summary: 'A held removal with its URLs, 10,000 at once',
    access: { role: 'member' },
    params: ReviewParams,
    query: z.object({ cursor: Cursor.optional() }),
    status: 200,
    response: ReviewWithUrls,
    pending: true,
  },
  'approve-review': {
    method: 'post',
    paths: ['/sites/{siteId}/reviews/{reviewId}/approve'],
    summary: 'Starts a sweep that asks for every URL again and deletes those that are still gone',
    access: { role: 'admin' },
    params: ReviewParams,
    status: 200,
    response: Review,
    errors: ['review_not_pending', 'urls_unavailable', 'address_mismatch', 'review_changed', 'sweep_running'],
    pending: true,
  },
  'reject-review': {
    method: 'post',
    paths: ['/sites/{siteId}/reviews/{reviewId}/reject'],
    summary: 'Keeps the pages of a held removal',
    access: { role: 'admin' },
    params: ReviewParams,
    status: 200,
    response: Review,
    errors: ['review_changed'],
    pending: true,
  },
} as const satisfies Record<string, Route>;
