import { table } from '#adapters/table';
import { timetable } from '#adapters/timetable';
import { setSchedule } from '../domain/crawl/schedules/manage-schedules.ts';
import { crawl } from '../routes/crawl.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock, newId } from '../runtime/system.ts';

export const handler = endpoint(crawl['set-schedule'], ({ params, body, caller }) =>
  setSchedule({ ...params, ...body }, caller, { table, timetable, clock, newId }),
);
