import type { DatabaseSync } from 'node:sqlite';
import { eventLogStore } from '../event-log.ts';
import { pageIndexStore } from '../index-store/page-index-store.ts';
import { pageBodyStore } from '../page-store.ts';
import { queueStore } from '../queue.ts';
import { itemStore } from './item-store.ts';

/** Epoch milliseconds: the time at the start of this thread plus what has passed since. */
const steadyTime = (): number => Math.floor(performance.timeOrigin + performance.now());

/** Items expire by the system time. Messages wait by the steady one: a changed system time must not delay them. */
export function openStores(database: DatabaseSync) {
  return {
    table: itemStore(database, () => Date.now() / 1000),
    queue: queueStore(database, steadyTime),
    pageStore: pageBodyStore(database),
    pageIndex: pageIndexStore(database),
    eventLog: eventLogStore(database),
  };
}

export type Stores = ReturnType<typeof openStores>;

/** What every thread reads through a connection of its own. */
export type Reads = {
  readonly table: Pick<Stores['table'], 'get' | 'getMany' | 'query'>;
  readonly queue: Pick<Stores['queue'], 'isEmpty' | 'size'>;
  readonly pageStore: Pick<Stores['pageStore'], 'get' | 'list'>;
  readonly pageIndex: Pick<Stores['pageIndex'], 'passages' | 'find'>;
  readonly eventLog: Pick<Stores['eventLog'], 'days' | 'sites' | 'queries' | 'frequentQueries'>;
};
