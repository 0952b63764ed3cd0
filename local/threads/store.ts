import type { Reads, Stores } from '../sqlite/stores.ts';

/** The store as a thread of the process uses it. Methods fail with a RangeError, an outage or an error with a cause. */
export type Engine = {
  /** Reads one state of the file, through this thread's connection. */
  read<T>(from: (stores: Reads) => T): T;

  /** Has a method of a store called by the thread that writes, or that has what it needs, within `CALL_TIMEOUT_MS`. */
  call<Store extends keyof Stores, Method extends keyof Stores[Store]>(
    store: Store,
    method: Method,
    ...args: ArgsOf<Stores[Store][Method]>
  ): Promise<AnswerOf<Stores[Store][Method]>>;

  /** Waits for this thread's calls. The thread that opened the file also closes it. */
  close(): Promise<void>;
};

type ArgsOf<Method> = Method extends (...args: infer Args) => unknown ? Args : never;
type AnswerOf<Method> = Method extends (...args: never[]) => infer Answer ? Answer : never;

let current: Engine | undefined;

/** Makes the adapters of this thread use an engine. */
export function setEngine(engine: Engine): void {
  if (current !== undefined) throw new Error('The local store is already open');
  current = engine;
}

export function engine(): Engine {
  if (current === undefined) throw new Error('The local store is not open: call openEngine(dataDir) first');
  return current;
}

export function engineIsOpen(): boolean {
  return current !== undefined;
}

export async function closeEngine(): Promise<void> {
  const closing = current;
  current = undefined;
  await closing?.close();
}
