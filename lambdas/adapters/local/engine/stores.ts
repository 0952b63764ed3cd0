import type { DatabaseSync } from 'node:sqlite';
import { pageIndexStore } from './page-index.ts';
import { pageStore } from './page-store.ts';
import { queueStore } from './queue.ts';
import { tableStore } from './table.ts';

export function openStores(database: DatabaseSync, now: () => number, notify: (queue: string) => void) {
  return {
    table: tableStore(database, () => now() / 1000),
    queue: queueStore(database, now, notify),
    pageStore: pageStore(database),
    pageIndex: pageIndexStore(database),
  };
}

export type Stores = ReturnType<typeof openStores>;

/** Methods that only read. They need no transaction, and work while another process holds the write lock. */
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

/** Their content counts only once a row of the table refers to it. The later commit of that row makes both durable. */
const derived: ReadonlySet<string> = new Set<keyof Stores>(['pageStore', 'pageIndex']);

export function isDerived({ store }: { readonly store: string }): boolean {
  return derived.has(store);
}
