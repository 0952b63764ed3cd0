import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { deleteSite } from '../domain/pages/removal/delete-site.ts';
import { sites } from '../routes/sites.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(sites['delete-site'], async ({ params, caller }) => {
  await deleteSite(params.siteId, caller, { table, queue, clock });
  return { success: true };
});
