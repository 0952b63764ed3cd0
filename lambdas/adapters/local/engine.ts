import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { UnavailableError } from '../../core/errors.ts';
import { engineClient } from './engine/client.ts';
import { CALL_LIMIT_MS } from './engine/pending-calls.ts';
import type { News, Opening, Order, Remote } from './engine/protocol.ts';
import type { Stores } from './engine/stores.ts';

/** The store as one thread of the process has it. */
export type Engine = {
  readonly call: Remote<Stores>;
  /** Resolves, with the reason, if the engine ends unasked by this thread: nothing can be stored from then on. */
  readonly died: Promise<UnavailableError>;
};

export type OwnEngine = Engine & {
  /** A port for another thread to give to `attachEngine`; it is to be transferred there. */
  readonly connect: () => MessagePort;
};

type Closable<E extends Engine> = E & { readonly close: () => Promise<void> };

let current: Closable<Engine> | undefined;

/** Opens the one SQLite file of the folder; once in a process. Throws an Error of one line that says what to do. */
export async function openEngine(dataDir: string): Promise<OwnEngine> {
  refuseSecond();
  const { opened, ...own } = startThread(dataDir);
  current = own;
  try {
    await opened;
    return own;
  } catch (error) {
    current = undefined;
    throw error;
  }
}

/** Uses, in this thread, the engine that another thread of the process has opened. */
export function attachEngine(port: MessagePort): Engine {
  refuseSecond();
  current = attach(port);
  return current;
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

function startThread(dataDir: string): Closable<OwnEngine> & { readonly opened: Promise<void> } {
  const worker = new Worker(new URL('./engine/thread.ts', import.meta.url), {
    name: 'storage-engine',
    workerData: dataDir,
    // Not those of this process: a test runner's or a debugger's are not for this thread.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const order = (message: Order) => worker.postMessage(message);
  const { call, died, hear, end, leave } = engineClient(order);
  const opened = Promise.withResolvers<void>();
  const exited = new Promise((resolve) => worker.once('exit', resolve));

  const fail = (reason: string, cause?: unknown) => {
    const error = new UnavailableError(`The storage engine ${reason}`, { cause });
    opened.reject(error);
    end(error);
  };
  worker.on('error', (error) => fail(`failed: ${error.message}`, error));
  worker.on('exit', () => fail('has ended'));
  worker.on('message', (message: Opening | News) => {
    if ('replies' in message) hear(message);
    else if ('refused' in message) opened.reject(new Error(message.refused));
    else opened.resolve();
  });

  return {
    call,
    died,
    opened: opened.promise,
    connect() {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ connect: port1 } satisfies Order, [port1]);
      return port2;
    },
    async close() {
      const left = leave();
      order('close');
      const timer = setTimeout(() => worker.terminate(), CALL_LIMIT_MS);
      await Promise.all([left, exited]);
      clearTimeout(timer);
    },
  };
}

function attach(port: MessagePort): Closable<Engine> {
  const { call, died, hear, end, leave } = engineClient((message) => port.postMessage(message));
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
