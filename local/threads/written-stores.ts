import type { DatabaseSync } from 'node:sqlite';
import { eventLogStore } from '../sqlite/event-log-store.ts';
import { segmentStore } from '../sqlite/index/segment-store.ts';
import { itemStore } from '../sqlite/item-store.ts';
import { pageBodyStore } from '../sqlite/page-body-store.ts';
import { queueStore } from '../sqlite/queue-store.ts';
import type { Call } from './calls.ts';

/** Epoch milliseconds: the time at the start of this thread plus what has passed since. */
const steadyTime = (): number => Math.floor(performance.timeOrigin + performance.now());

/**
 * What is written. Apart from stores.ts, so that the thread that writes loads no code of searches. Items expire by the
 * system time. Messages wait by the steady one: a changed system time must not delay them.
 */
export function openWrittenStores(database: DatabaseSync) {
  return {
    table: itemStore(database, () => Date.now() / 1000),
    queue: queueStore(database, steadyTime),
    pageStore: pageBodyStore(database),
    pageIndex: segmentStore(database),
    eventLog: eventLogStore(database),
  };
}

export type WrittenStores = ReturnType<typeof openWrittenStores>;

type Methods = Readonly<Record<string, Readonly<Record<string, (...args: readonly unknown[]) => unknown>>>>;

/** Does a call. */
export function answerOf(stores: object, { store, method, args }: Call): unknown {
  const run = (stores as Methods)[store]?.[method];
  if (run === undefined) throw new TypeError(`There is no ${store}.${method}`);
  return run(...args);
}
