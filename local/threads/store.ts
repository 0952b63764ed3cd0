import type { memoryCounters } from '../sqlite/counters.ts';
import type { Stores } from '../sqlite/stores.ts';
import type { Calls } from './calls.ts';

/** Reads, which each thread does itself. */
type Reads = {
  readonly table: Pick<Stores['table'], 'get' | 'getMany' | 'query'>;
  readonly queue: Pick<Stores['queue'], 'isEmpty' | 'size'>;
  readonly pageStore: Pick<Stores['pageStore'], 'get' | 'list'>;
  readonly pageIndex: Pick<Stores['pageIndex'], 'passages' | 'find'>;
  readonly segments: Pick<Stores['segments'], 'isFilled' | 'ofSites' | 'withDeletions' | 'merged'>;
  readonly eventLog: Pick<Stores['eventLog'], 'days' | 'sites' | 'queries' | 'frequentQueries'>;
};

/** Stores that only the main thread has: counters and open segments, which are in memory. */
export type InMemory = {
  readonly counters: ReturnType<typeof memoryCounters>;
  readonly pageIndex: Pick<Stores['pageIndex'], 'candidates' | 'vocabulary' | 'titled' | 'facets'>;
};

/** Writes, which the writer's thread does. */
type Writes = {
  readonly table: Pick<Stores['table'], 'update' | 'write' | 'put' | 'remove'>;
  readonly queue: Pick<Stores['queue'], 'send' | 'receive' | 'acknowledge' | 'release' | 'releaseInFlight'>;
  readonly pageStore: Pick<Stores['pageStore'], 'put' | 'remove' | 'removeBelow'>;
  readonly pageIndex: Pick<Stores['pageIndex'], 'put' | 'remove' | 'removeBelow' | 'storePart' | 'replace'>;
  readonly eventLog: Pick<Stores['eventLog'], 'append' | 'removeSite' | 'removeExpired'>;
};

/** The data file as a thread uses it. Methods fail with a `RangeError`, an outage or an error with a cause. */
export type Store = {
  /** Reads at once, through a connection of this thread. Each call sees one state of the file. */
  readonly read: Reads;
  /** Writes durably, within `CALL_TIMEOUT_MS`. */
  readonly write: Calls<Writes>;
  /** Calls the main thread, which answers within `CALL_TIMEOUT_MS`. */
  readonly main: Calls<InMemory>;
  /** Waits for this thread's calls. In the thread that opened the file, also closes it. */
  close(): Promise<void>;
};

let current: Store | undefined;

/** Makes the adapters of this thread use a store. */
export function setStore(store: Store): void {
  if (current !== undefined) throw new Error('The local store is already open');
  current = store;
}

export function store(): Store {
  if (current === undefined) throw new Error('The local store is not open: call openStore(dataDir) first');
  return current;
}

export function storeIsOpen(): boolean {
  return current !== undefined;
}

export async function closeStore(): Promise<void> {
  const closing = current;
  current = undefined;
  await closing?.close();
}
