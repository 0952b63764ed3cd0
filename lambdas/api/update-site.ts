import { table } from '#adapters/table';
import { updateSite } from '../core/sites/manage-sites.ts';
import { sites } from '../routes/sites.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(sites['update-site'], async ({ params, body, caller }) => {
  await updateSite(params.siteId, body, caller, { table });
  return { success: true };
});
