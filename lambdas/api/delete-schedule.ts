import { table } from '#adapters/table';
import { timetable } from '#adapters/timetable';
import { deleteSchedule } from '../domain/crawl/schedules/manage-schedules.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(crawl['delete-schedule'], async ({ params, caller }) => {
  await deleteSchedule(params.siteId, caller, { table, timetable });
  return { success: true };
});
