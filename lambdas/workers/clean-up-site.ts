import { eventLog } from '#adapters/event-log';
import { pageRemover as pageIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { timetable } from '#adapters/timetable';
import { cleanUpSite } from '../domain/pages/removal/clean-up.ts';
import { queues } from '../messages.ts';
import { clock } from '../runtime/system.ts';
import { worker } from '../runtime/worker.ts';

export const handler = worker(queues['clean-up'], (cleanUp) =>
  cleanUpSite(cleanUp, { table, pageStore, pageIndex, eventLog, queue, timetable, clock }),
);
