import type { DatabaseSync } from 'node:sqlite';
import { openWrittenStores, type WrittenStores } from '../threads/written-stores.ts';
import { pageIndexStore } from './index/page-index-store.ts';

/** What threads read, each through a connection of its own. */
export const openStores = (database: DatabaseSync) => ({
  ...openWrittenStores(database),
  pageIndex: pageIndexStore(database),
});

export type ReadStores = ReturnType<typeof openStores>;
export type Stores = WrittenStores & ReadStores;

/** What every thread reads. */
export type Reads = {
  readonly table: Pick<ReadStores['table'], 'get' | 'getMany' | 'query'>;
  readonly queue: Pick<ReadStores['queue'], 'isEmpty' | 'size'>;
  readonly pageStore: Pick<ReadStores['pageStore'], 'get' | 'list'>;
  readonly pageIndex: Pick<ReadStores['pageIndex'], 'passages' | 'find'>;
  readonly eventLog: Pick<ReadStores['eventLog'], 'days' | 'sites' | 'queries' | 'frequentQueries'>;
};
