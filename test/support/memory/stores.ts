import type { PageIndex } from '../../../lambdas/domain/ports/page-index.ts';
import { tableTimetable } from '../../../local/sqlite/timetable.ts';
import { memoryEventLog } from './event-log.ts';
import { MemoryPageIndex } from './page-index.ts';
import { memoryPageStore } from './page-store.ts';
import { memoryQueue } from './queue.ts';
import { memoryTable } from './table.ts';

export function memoryStores() {
  const [table, queue] = [memoryTable(), memoryQueue()];
  const pageIndex: PageIndex = new MemoryPageIndex();
  const timetable = tableTimetable({ table, queue, clock: Date.now });
  return { table, queue, pageStore: memoryPageStore(), pageIndex, eventLog: memoryEventLog(), timetable };
}

/** The stores of one test file: Jest loads this module again for each file. */
export const { table, queue, pageStore, pageIndex, eventLog, timetable } = memoryStores();
