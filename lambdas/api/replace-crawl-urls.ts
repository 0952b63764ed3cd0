import { table } from '#adapters/table';
import { addressCheck } from '../connectors/fetcher/address-check.ts';
import { replaceCrawlUrls } from '../domain/sites/crawl-urls.ts';
import { env } from '../env.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { newId } from '../runtime/system.ts';

const checkAddress = addressCheck({ allowHosts: env.CRAWL_ALLOW_HOSTS, timeoutMs: 5000 });

export const handler = endpoint(crawl['replace-crawl-urls'], async ({ params, body, caller }) => {
  const replaced = await replaceCrawlUrls(params.siteId, body.urls, caller, { table, checkAddress, newId });
  return { ...replaced, count: replaced.urls.length };
});
