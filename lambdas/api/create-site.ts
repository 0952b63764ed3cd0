import { table } from '#adapters/table';
import { createSite } from '../domain/sites/manage-sites.ts';
import { addressWarnings, shownWarnings } from '../domain/sites/settings-warnings.ts';
import { siteSummary } from '../domain/sites/site-view.ts';
import { env } from '../env.ts';
import { sites } from '../routes/sites.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock, newId } from '../runtime/system.ts';

export const handler = endpoint(sites['create-site'], async ({ body, caller }) => {
  const { warnings, ...site } = await createSite(body, caller, { table, clock, newId });
  const ofAddress = addressWarnings(body.baseUrl, env.CRAWL_ALLOW_HOSTS);
  return { ...siteSummary(site), ...shownWarnings([...warnings, ...ofAddress]) };
});
