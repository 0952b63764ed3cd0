import type { DatabaseSync } from 'node:sqlite';
import { eventLogStore } from '../event-log.ts';
import { pageIndexStore } from '../index-store/page-index-store.ts';
import { pageBodyStore } from '../page-store.ts';
import { queueReader, queueStore } from '../queue.ts';
import { errorOf, failureOf } from './failure.ts';
import { itemStore } from './item-store.ts';

/** Epoch milliseconds: what the system says, and the time at the start of this thread plus what has passed since. */
export type Clocks = { readonly wall: () => number; readonly steady: () => number };

export const CLOCKS: Clocks = {
  wall: Date.now,
  steady: () => Math.floor(performance.timeOrigin + performance.now()),
};

/** Items expire by the wall clock. Messages wait by the steady one: a changed system time must not delay them. */
export function openStores(database: DatabaseSync, { wall, steady }: Clocks, notify: (queue: string) => void) {
  return {
    table: itemStore(database, () => wall() / 1000),
    queue: queueStore(database, steady, notify),
    pageStore: pageBodyStore(database),
    pageIndex: pageIndexStore(database),
    eventLog: eventLogStore(database),
  };
}

export type Stores = ReturnType<typeof openStores>;

/** What every thread reads through a connection of its own. */
export type Reads = {
  readonly table: Pick<Stores['table'], 'get' | 'getMany' | 'query'>;
  readonly queue: Pick<Stores['queue'], 'isEmpty'>;
  readonly pageStore: Pick<Stores['pageStore'], 'get' | 'list'>;
  readonly pageIndex: Pick<Stores['pageIndex'], 'passages' | 'find'>;
  readonly eventLog: Pick<Stores['eventLog'], 'days' | 'sites' | 'queries' | 'frequentQueries'>;
};

/** The reads fail with the same errors as calls. */
export const readsOf = ({ table, queue, pageStore, pageIndex, eventLog }: Reads): Reads => ({
  ...{ table: guarded(table), queue: guarded(queue), pageStore: guarded(pageStore) },
  ...{ pageIndex: guarded(pageIndex), eventLog: guarded(eventLog) },
});

function guarded<Store extends object>(store: Store): Store {
  const methods = Object.entries(store).map(([name, method]) => {
    const run = (...args: readonly unknown[]): unknown => {
      try {
        return method(...args);
      } catch (error) {
        throw errorOf(failureOf(error));
      }
    };
    return [name, run];
  });
  return Object.fromEntries(methods);
}

/** The reads of a thread that has not opened the file to write. */
export function openReads(database: DatabaseSync): Reads {
  return readsOf({
    table: itemStore(database, () => CLOCKS.wall() / 1000),
    queue: queueReader(database),
    pageStore: pageBodyStore(database),
    pageIndex: pageIndexStore(database),
    eventLog: eventLogStore(database),
  });
}

/** Calls that need no transaction. Searches are calls because one thread alone has the segments open. */
const AT_ONCE: ReadonlySet<string> = new Set([
  ...['table.count', 'queue.size'],
  ...['pageIndex.candidates', 'pageIndex.vocabulary', 'pageIndex.titled', 'pageIndex.facets'],
]);

export function isWrite({ store, method }: { readonly store: string; readonly method: string }): boolean {
  return !AT_ONCE.has(`${store}.${method}`);
}

/**
 * Pages: their content counts only once a row of the table refers to it, and the later commit of that row makes both
 * durable. Events: only a power failure loses them, and they are not worth a wait for the disk.
 */
const derived: ReadonlySet<string> = new Set<keyof Stores>(['pageStore', 'pageIndex', 'eventLog']);

export function isDerived({ store }: { readonly store: string }): boolean {
  return derived.has(store);
}
