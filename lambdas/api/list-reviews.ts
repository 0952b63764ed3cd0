import { tableReader } from '#adapters/table';
import { listReviews } from '../domain/crawl/reviews/read-reviews.ts';
import { reviews } from '../routes/reviews.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { pageInfo } from '../runtime/responses.ts';

export const handler = endpoint(reviews['list-reviews'], async ({ params, query, caller }) => {
  const page = await listReviews(params.siteId, query, caller, tableReader);
  return { reviews: page.items, ...pageInfo(page) };
});
