import { table } from '#adapters/table';
import { createSite } from '../core/sites/manage-sites.ts';
import { shownWarnings } from '../core/sites/settings-warnings.ts';
import { siteSummary } from '../core/sites/site-view.ts';
import { sites } from '../routes/sites.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock, newId } from '../runtime/system.ts';

export const handler = endpoint(sites['create-site'], async ({ body, caller }) => {
  const { warnings, ...site } = await createSite(body, caller, { table, clock, newId });
  return { ...siteSummary(site), ...shownWarnings(warnings) };
});
