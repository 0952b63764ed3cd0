import type { DatabaseSync } from 'node:sqlite';
import { pageIndexStore } from './page-index.ts';
import { pageStore } from './page-store.ts';
import { queueStore } from './queue.ts';
import { tableStore } from './table.ts';

/** All that the engine can be asked, by store and method. `now` is in epoch milliseconds; for `ring` see `queueStore`. */
export function openStores(database: DatabaseSync, now: () => number, ring: (queue: string) => void) {
  return {
    table: tableStore(database, () => now() / 1000),
    queue: queueStore(database, now, ring),
    pageStore: pageStore(database),
    pageIndex: pageIndexStore(database),
  };
}

export type Stores = ReturnType<typeof openStores>;

/** What only reads: it needs no transaction, and is answered even while no one can write. */
const reads: { readonly [Store in keyof Stores]: readonly (keyof Stores[Store])[] } = {
  table: ['get', 'getMany', 'query'],
  queue: [],
  pageStore: ['get'],
  pageIndex: ['candidates', 'passages', 'facets', 'find'],
};

const readNames: ReadonlySet<string> = new Set(
  Object.entries(reads).flatMap(([store, methods]) => methods.map((method) => `${store}.${method}`)),
);

export function isRead({ store, method }: { readonly store: string; readonly method: string }): boolean {
  return readNames.has(`${store}.${method}`);
}

/** What only rows of the table make count: it is to be on the disk before they are, as all is that is written before, and no earlier. */
const derived: ReadonlySet<string> = new Set<keyof Stores>(['pageStore', 'pageIndex']);

export function isDerived({ store }: { readonly store: string }): boolean {
  return derived.has(store);
}
