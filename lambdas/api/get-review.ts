import { tableReader } from '#adapters/table';
import { getReview } from '../domain/crawl/reviews/read-reviews.ts';
import { reviews } from '../routes/reviews.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { pageInfo } from '../runtime/responses.ts';

export const handler = endpoint(reviews['get-review'], async ({ params, query, caller }) => {
  const { next, ...review } = await getReview({ ...params, ...query }, caller, tableReader);
  return { ...review, ...pageInfo(next === undefined ? {} : { next }) };
});
