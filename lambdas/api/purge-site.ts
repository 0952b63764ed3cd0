import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { purgeSite } from '../domain/pages/removal/purge-site.ts';
import { content } from '../routes/content.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(content['purge-site'], async ({ params, caller }) => ({
  success: true,
  deletedCount: await purgeSite(params.siteId, caller, { table, queue, clock }),
}));
