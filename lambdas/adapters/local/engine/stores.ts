import type { DatabaseSync } from 'node:sqlite';
import { pageIndexStore } from '../search-engine/page-index-store.ts';
import { eventLogStore } from './event-log.ts';
import { pageStore } from './page-store.ts';
import { queueStore } from './queue.ts';
import { tableStore } from './table.ts';

/** Epoch milliseconds: what the system says, and the time at the start of this thread plus what has passed since. */
export type Clocks = { readonly wall: () => number; readonly steady: () => number };

export const CLOCKS: Clocks = {
  wall: Date.now,
  steady: () => Math.floor(performance.timeOrigin + performance.now()),
};

/** Items expire by the wall clock. Messages wait by the steady one: a changed system time must not delay them. */
export function openStores(database: DatabaseSync, { wall, steady }: Clocks, notify: (queue: string) => void) {
  return {
    table: tableStore(database, () => wall() / 1000),
    queue: queueStore(database, steady, notify),
    pageStore: pageStore(database),
    pageIndex: pageIndexStore(database),
    eventLog: eventLogStore(database),
  };
}

export type Stores = ReturnType<typeof openStores>;

/** Methods that only read. They need no transaction, and work while another process holds the write lock. */
const reads: { readonly [Store in keyof Stores]: readonly (keyof Stores[Store])[] } = {
  table: ['get', 'getMany', 'query'],
  queue: [],
  pageStore: ['get', 'list'],
  pageIndex: ['candidates', 'vocabulary', 'titled', 'passages', 'facets', 'find'],
  eventLog: ['days', 'sites', 'queries', 'frequentQueries'],
};

const readNames: ReadonlySet<string> = new Set(
  Object.entries(reads).flatMap(([store, methods]) => methods.map((method) => `${store}.${method}`)),
);

export function isRead({ store, method }: { readonly store: string; readonly method: string }): boolean {
  return readNames.has(`${store}.${method}`);
}

/** Needs neither the database nor an order: it is answered before calls that wait for the disk. */
export function isImmediate({ store, method }: { readonly store: string; readonly method: string }): boolean {
  return store === 'table' && method === 'count';
}

/**
 * Pages: their content counts only once a row of the table refers to it, and the later commit of that row makes both
 * durable. Events: only a power failure loses them, and they are not worth a wait for the disk.
 */
const derived: ReadonlySet<string> = new Set<keyof Stores>(['pageStore', 'pageIndex', 'eventLog']);

export function isDerived({ store }: { readonly store: string }): boolean {
  return derived.has(store);
}
