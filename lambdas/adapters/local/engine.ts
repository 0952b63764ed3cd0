import type { MessagePort } from 'node:worker_threads';
import { UnavailableError } from '../../core/errors.ts';
import { type Engine, engineClient } from './engine/client.ts';
import { StoreHost } from './engine/store-host.ts';

export type AttachedEngine = Engine & {
  /** Resolves with the reason if the engine ends before this thread closes it. Every call fails from then on. */
  readonly died: Promise<UnavailableError>;
};

let current: Engine | undefined;

/** Opens the file of the folder, once per process. Throws an error of one line that says what to do. */
export async function openEngine(dataDir: string): Promise<StoreHost> {
  refuseSecond();
  const host = new StoreHost(dataDir);
  current = host;
  return host;
}

/** Makes this thread use the engine that another thread has opened. */
export function attachEngine(port: MessagePort): AttachedEngine {
  refuseSecond();
  const attached = attach(port);
  current = attached;
  return attached;
}

/** Waits for this thread's calls. The thread that opened the file also closes it. */
export async function closeEngine(): Promise<void> {
  const closing = current;
  current = undefined;
  await closing?.close();
}

export function engine(): Engine {
  if (current === undefined) throw new Error('The local store is not open: call openEngine(dataDir) first');
  return current;
}

export function engineIsOpen(): boolean {
  return current !== undefined;
}

function refuseSecond(): void {
  if (current !== undefined) throw new Error('The local store is already open');
}

function attach(port: MessagePort): AttachedEngine {
  const { call, died, receive, end, leave } = engineClient((made) => void port.postMessage(made));
  port.on('message', receive);
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
