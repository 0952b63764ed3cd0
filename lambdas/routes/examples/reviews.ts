import type { reviews as routes } from '../reviews.ts';
import { type Example, IDS, NOW } from './example.ts';

const { reviewId, siteId, jobId } = IDS;
const review = {
  reviewId,
  siteId,
  jobId,
  status: 'pending',
  urlCount: 240,
  share: 0.21,
  urlsAvailable: true,
  createdAt: NOW,
  decidedAt: null,
};
const decided = { ...review, decidedAt: NOW + 60 };

export const reviews = {
  'list-reviews': { query: { limit: 10 }, response: { reviews: [review], nextCursor: null, hasMore: false } },
  'get-review': {
    response: {
      ...review,
      urlCount: 2,
      share: 0.12,
      urls: ['https://www.example.com/docs/v1/a', 'https://www.example.com/docs/v1/b'],
      reasons: ['404', 'redirect'],
      nextCursor: null,
      hasMore: false,
    },
  },
  'approve-review': {
    response: { ...decided, status: 'approved', sweep: { status: 'running', deleted: 0, kept: 0 } },
  },
  'reject-review': { response: { ...decided, status: 'rejected', urlsAvailable: false } },
} satisfies Record<keyof typeof routes, Example>;
