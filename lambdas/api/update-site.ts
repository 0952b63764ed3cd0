import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { startRefill } from '../core/pages/start-refill.ts';
import { updateSite } from '../core/sites/manage-sites.ts';
import { shownWarnings } from '../core/sites/settings-warnings.ts';
import { sites } from '../routes/sites.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(sites['update-site'], async ({ params, body, caller }) => {
  const warnings = await updateSite(params.siteId, body, caller, { table });
  if (body.metadataSchema) await startRefill(params.siteId, { table, queue });
  return { success: true, ...shownWarnings(warnings) };
});
