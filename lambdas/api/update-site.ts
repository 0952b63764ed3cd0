import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { lastCrawlView } from '../domain/crawl/jobs/job-view.ts';
import { startRefill } from '../domain/pages/start-refill.ts';
import { updateSite } from '../domain/sites/manage-sites.ts';
import { addressWarnings, shownWarnings } from '../domain/sites/settings-warnings.ts';
import { siteDetails } from '../domain/sites/site-view.ts';
import { env } from '../env.ts';
import { sites } from '../routes/sites.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(sites['update-site'], async ({ params, body, caller }) => {
  const { warnings, ...site } = await updateSite(params.siteId, body, caller, { table });
  if (body.metadataSchema) await startRefill(params.siteId, { table, queue });
  const shown = { ...siteDetails(site), ...(await lastCrawlView(site.state, table)) };
  const { privateHost } = site.settings;
  const allowed = [...env.CRAWL_ALLOW_HOSTS, ...(privateHost === undefined ? [] : [privateHost])];
  const ofAddress = addressWarnings(body.baseUrl, allowed);
  return { success: true, site: shown, ...shownWarnings([...warnings, ...ofAddress]) };
});
