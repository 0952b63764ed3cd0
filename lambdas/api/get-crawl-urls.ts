import { table } from '#adapters/table';
import { crawlUrls } from '../core/sites/crawl-urls.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(crawl['get-crawl-urls'], async ({ params, caller }) => {
  const urls = await crawlUrls(params.siteId, caller, table);
  return { urls, count: urls.length };
});
