import type { DatabaseSync } from 'node:sqlite';
import { segmentStore } from '../index-store/segment-store.ts';
import type { Call } from './calls.ts';
import { eventLogStore } from './event-log-store.ts';
import { itemStore } from './item-store.ts';
import { pageBodyStore } from './page-body-store.ts';
import { queueStore } from './queue-store.ts';

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
