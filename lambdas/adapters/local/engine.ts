import type { MessagePort } from 'node:worker_threads';
import { UnavailableError } from '../../core/errors.ts';
import { engineClient } from './engine/client.ts';
import type { Remote } from './engine/protocol.ts';
import { OwnEngine } from './engine/store-host.ts';
import type { Stores } from './engine/stores.ts';

/** The store as one thread of the process has it. */
export type Engine = { readonly call: Remote<Stores>; readonly close: () => Promise<void> };

/** The store of another thread. */
export type AttachedEngine = Engine & {
  /** Resolves, with the reason, if the engine ends unasked by this thread: nothing can be stored from then on. */
  readonly died: Promise<UnavailableError>;
};

let current: Engine | undefined;

/** Opens the one SQLite file of the folder in this thread; once in a process. Throws an Error of one line that says what to do. */
export async function openEngine(dataDir: string): Promise<OwnEngine> {
  refuseSecond();
  const own = new OwnEngine(dataDir);
  current = own;
  return own;
}

/** Uses, in this thread, the engine that another thread of the process has opened. */
export function attachEngine(port: MessagePort): AttachedEngine {
  refuseSecond();
  const attached = attach(port);
  current = attached;
  return attached;
}

/** Ends this thread's use of the engine after the calls that it has made; the thread that opened it closes the file. */
export async function closeEngine(): Promise<void> {
  const closing = current;
  current = undefined;
  await closing?.close();
}

/** The open engine, for the adapters beside this file. */
export function engine(): Engine {
  if (current === undefined) throw new Error('The local store is not open: call openEngine(dataDir) first');
  return current;
}

export function engineIsOpen(): boolean {
  return current !== undefined;
}

function refuseSecond(): void {
  if (current !== undefined) throw new Error('The local store is open already');
}

function attach(port: MessagePort): AttachedEngine {
  const { call, died, hear, end, leave } = engineClient((made) => void port.postMessage(made));
  port.on('message', hear);
  port.on('close', () => end(new UnavailableError('The storage engine has ended')));
  return {
    call,
    died,
    async close() {
      await leave();
      port.close();
    },
  };
}
