import type { DatabaseSync } from 'node:sqlite';
import { eventLogStore } from './event-log-store.ts';
import { pageIndexStore } from './index/page-index-store.ts';
import { segmentRows } from './index/segment-rows.ts';
import { segmentStore } from './index/segment-store.ts';
import { itemStore } from './item-store.ts';
import { pageBodyStore } from './page-body-store.ts';
import { queueStore } from './queue-store.ts';

/** Returns epoch milliseconds: the time when this thread started plus the time elapsed since. */
const steadyTime = (): number => Math.floor(performance.timeOrigin + performance.now());

/**
 * Opens all stores through one connection. SQLite refuses their writes on a read-only connection. Items expire by the
 * system time. Messages wait by the steady time, so that a change of the system time does not delay them.
 */
export const openStores = (database: DatabaseSync) => ({
  table: itemStore(database, () => Date.now() / 1000),
  queue: queueStore(database, steadyTime),
  pageStore: pageBodyStore(database),
  pageIndex: { ...segmentStore(database), ...pageIndexStore(database) },
  segments: segmentRows(database),
  eventLog: eventLogStore(database),
});

export type Stores = ReturnType<typeof openStores>;
