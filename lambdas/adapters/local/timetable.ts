import { table } from '#adapters/table';
import { queue } from './queue.ts';
import { tableTimetable } from './table-timetable.ts';

export const timetable = tableTimetable({ table, queue, clock: Date.now });
