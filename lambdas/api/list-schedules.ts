import { tableReader } from '#adapters/table';
import { listSchedules } from '../domain/crawl/schedules/manage-schedules.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(crawl['list-schedules'], async ({ params, caller }) => ({
  schedules: await listSchedules(params.siteId, caller, { table: tableReader, clock }),
}));
