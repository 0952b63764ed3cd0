import { table } from '#adapters/table';
import { rejectReview } from '../domain/crawl/reviews/decide-review.ts';
import { reviews } from '../routes/reviews.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(reviews['reject-review'], ({ params, caller }) =>
  rejectReview(params, caller, { table, clock }),
);
