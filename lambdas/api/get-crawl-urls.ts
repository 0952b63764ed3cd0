import { tableReader } from '#adapters/table';
import { crawlScope } from '../domain/sites/crawl-urls.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(crawl['get-crawl-urls'], ({ params, caller }) =>
  crawlScope(params.siteId, caller, tableReader),
);
