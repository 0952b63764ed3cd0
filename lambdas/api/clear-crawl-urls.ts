import { table } from '#adapters/table';
import { clearCrawlUrls } from '../domain/sites/crawl-urls.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { newId } from '../runtime/system.ts';

export const handler = endpoint(crawl['clear-crawl-urls'], async ({ params, caller }) => {
  await clearCrawlUrls(params.siteId, caller, { table, newId });
  return { success: true };
});
