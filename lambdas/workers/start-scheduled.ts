import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { timetable } from '#adapters/timetable';
import { startScheduled } from '../domain/crawl/schedules/start-scheduled.ts';
import { queues } from '../messages.ts';
import { clock, newId } from '../runtime/system.ts';
import { worker } from '../runtime/worker.ts';

export const handler = worker(queues.starts, (start) =>
  startScheduled(start, { table, queue, timetable, clock, newId }),
);
