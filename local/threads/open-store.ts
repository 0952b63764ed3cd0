import { once } from 'node:events';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { memoryCounters } from '../sqlite/counters.ts';
import { openReader } from '../sqlite/database.ts';
import { FILE_NAME } from '../sqlite/schema.ts';
import { storeError } from '../sqlite/store-error.ts';
import { openStores, type Stores } from '../sqlite/stores.ts';
import { answerCalls, answerOf, type Call, callsThrough, ThreadCaller } from './calls.ts';
import { type InMemory, setStore, storeIsOpen } from './store.ts';

export { closeStore } from './store.ts';

const WARM_UP_MS = 3000;

/** What another thread needs to use the store: the file, and ports to the two threads that run its calls. */
type Attachment = { readonly file: string; readonly main: MessagePort; readonly writer: MessagePort };

/** The store, in the thread that opened it. */
export type MainStore = {
  /** Creates what another thread needs for `attachStore`. */
  connect(): { readonly data: Attachment; readonly transfer: readonly MessagePort[] };
  /** Opens search indexes for at most three seconds. Returns the siteId of the largest site. */
  warmUp(): string | undefined;
};

/** Opens the file of the folder, once per process. Throws an error of one line that says what to do. */
export async function openStore(dataDir: string): Promise<MainStore> {
  if (storeIsOpen()) throw new Error('The local store is already open');
  const writer = new Worker(new URL('./writer-thread.ts', import.meta.url), { name: 'writer', workerData: dataDir });
  await once(writer, 'message'); // the writer has opened the file
  const file = join(dataDir, FILE_NAME);
  const database = openReader(file);
  const read = reading(database);
  const inMemory: InMemory = { counters: memoryCounters(() => Date.now() / 1000), pageIndex: read.pageIndex };
  const answer = async (call: Call): Promise<unknown> => answerOf(inMemory, call);
  const portToWriter = (): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    writer.postMessage(port1, [port1]);
    return port2;
  };
  const port = portToWriter();
  const caller = new ThreadCaller(port);
  // Calls keep the process alive, but an open file does not.
  port.unref();
  writer.unref();
  const ports = new Set<MessagePort>();
  const close = async (): Promise<void> => {
    await caller.close();
    for (const port of ports) port.close();
    database.close(); // the last connection to be closed moves the write-ahead log into the file
    const ended = once(writer, 'exit');
    writer.ref();
    writer.postMessage('close');
    await ended;
  };
  setStore({ read, write: callsThrough(caller.call), main: callsThrough(answer), close });
  return {
    connect() {
      const { port1: own, port2: main } = new MessageChannel();
      ports.add(own);
      answerCalls(own, answer);
      own.on('close', () => ports.delete(own));
      const writer = portToWriter();
      return { data: { file, main, writer }, transfer: [main, writer] };
    },
    warmUp() {
      read.pageIndex.warm(WARM_UP_MS);
      return read.pageIndex.largest();
    },
  };
}

/** Makes this thread use the store that another thread has opened. */
export function attachStore({ file, ...ports }: Attachment): void {
  const [main, writer] = [new ThreadCaller(ports.main), new ThreadCaller(ports.writer)];
  const database = openReader(file);
  const close = async (): Promise<void> => {
    await Promise.all([main.close(), writer.close()]);
    database.close();
  };
  setStore({ read: reading(database), write: callsThrough(writer.call), main: callsThrough(main.call), close });
}

/** Makes each call of a store see one state of the file, whatever is written at the same time. */
function reading(database: DatabaseSync): Stores {
  const [begin, end] = [database.prepare('BEGIN'), database.prepare('COMMIT')];
  const inTransaction =
    (method: (...args: readonly unknown[]) => unknown) =>
    (...args: readonly unknown[]): unknown => {
      begin.run();
      try {
        return method(...args);
      } catch (error) {
        throw storeError(error);
      } finally {
        if (database.isTransaction) end.run(); // some errors of the disk end the transaction
      }
    };
  const wrapped = Object.entries(openStores(database)).map(([name, methods]) => [
    name,
    Object.fromEntries(Object.entries(methods).map(([method, run]) => [method, inTransaction(run)])),
  ]);
  return Object.fromEntries(wrapped) as Stores;
}
