import type { Caller } from './calls.ts';
import type { Reads } from './stores.ts';

/** The store as one thread of the process uses it: it reads by functions, and writes by calls. */
export type Engine = {
  readonly reads: Reads;
  readonly call: Caller['stores'];
  readonly close: () => Promise<void>;
};

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

/** Waits for this thread's calls. The thread that opened the file also closes it. */
export async function closeEngine(): Promise<void> {
  const closing = current;
  current = undefined;
  await closing?.close();
}
