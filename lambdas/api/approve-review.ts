import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { approveReview } from '../domain/crawl/reviews/decide-review.ts';
import { reviews } from '../routes/reviews.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(reviews['approve-review'], ({ params, caller }) =>
  approveReview(params, caller, { table, queue, clock }),
);
