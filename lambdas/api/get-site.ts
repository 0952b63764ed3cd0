import { tableReader } from '#adapters/table';
import { lastCrawlView } from '../domain/crawl/jobs/job-view.ts';
import { ownSite } from '../domain/sites/site.ts';
import { siteDetails } from '../domain/sites/site-view.ts';
import { sites } from '../routes/sites.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(sites['get-site'], async ({ params, caller }) => {
  const site = await ownSite(params.siteId, caller.orgId, tableReader);
  return { ...siteDetails(site), ...(await lastCrawlView(site.state, tableReader)) };
});
