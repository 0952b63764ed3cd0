import { once } from 'node:events';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { openReader } from '../sqlite/database.ts';
import { FILE_NAME } from '../sqlite/schema.ts';
import { storeError } from '../sqlite/store-error.ts';
import { openStores, type ReadStores } from '../sqlite/stores.ts';
import { answerCalls, CALL_TIMEOUT_MS, type Call, Caller, monotonicMs } from './calls.ts';
import { type Engine, engineIsOpen, setEngine } from './store.ts';
import { answerOf } from './written-stores.ts';

export { closeEngine } from './store.ts';

const WARM_UP_MS = 3000;

/** These calls need what one thread alone has in memory, counters and open segments: that which serves HTTP. */
const IN_MEMORY: ReadonlySet<string> = new Set([
  ...['table.count', 'pageIndex.candidates', 'pageIndex.vocabulary', 'pageIndex.titled', 'pageIndex.facets'],
]);

/** Runs reads that each see one state of the file, whatever is written meanwhile. */
function readerOf(database: DatabaseSync): <T>(read: (stores: ReadStores) => T) => T {
  const stores = openStores(database);
  const [begin, end] = [database.prepare('BEGIN'), database.prepare('COMMIT')];
  return (read) => {
    begin.run();
    try {
      return read(stores);
    } catch (error) {
      throw storeError(error);
    } finally {
      if (database.isTransaction) end.run(); // some errors of the disk end it
    }
  };
}

type Calling = (call: Call) => Promise<unknown>;
/** Who does the calls of a thread. */
type Callings = { readonly inMemory: Calling; readonly write: Calling };

/** What another thread needs to use the store: ports to the two threads that do its calls. */
type Attachment = { readonly file: string; readonly host: MessagePort; readonly writer: MessagePort };

/**
 * Opens the file of the folder, once per process. Throws an error of one line that says what to do. `onError` is called
 * if work in the background fails; it is tried again later.
 */
export async function openEngine(dataDir: string, onError: (error: unknown) => void = () => {}): Promise<StoreHost> {
  if (engineIsOpen()) throw new Error('The local store is already open');
  const script = new URL('./writer-thread.ts', import.meta.url);
  const writer = new Worker(script, { name: 'writing', workerData: dataDir });
  await once(writer, 'message'); // it has opened the file
  writer.on('message', onError);
  const host = new StoreHost(join(dataDir, FILE_NAME), writer);
  setEngine(host.engine);
  return host;
}

/** Makes this thread use the engine that another thread has opened. */
export function attachEngine({ file, host, writer }: Attachment): void {
  const [inMemory, write] = [new Caller(host), new Caller(writer)];
  const database = openReader(file);
  const callings = { inMemory: inMemory.call, write: write.call };
  const close = async () => {
    await Promise.all([inMemory.close(), write.close()]);
    database.close();
  };
  setEngine(engineOf(readerOf(database), callings, close));
}

const engineOf = (read: Engine['read'], { inMemory, write }: Callings, close: Engine['close']): Engine => ({
  read,
  call: async (store, method, ...args) => {
    const call = { store, method: String(method), args, deadline: monotonicMs() + CALL_TIMEOUT_MS };
    return (await (IN_MEMORY.has(`${store}.${call.method}`) ? inMemory(call) : write(call))) as never;
  },
  close,
});

/** The store in the thread that serves HTTP. It has a thread of its own write, so that no search waits for the disk. */
export class StoreHost {
  readonly engine: Engine;
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #read: ReturnType<typeof readerOf>;
  readonly #writer: Worker;
  readonly #caller: Caller;
  readonly #ports = new Set<MessagePort>();

  constructor(file: string, writer: Worker) {
    this.#file = file;
    this.#database = openReader(file);
    this.#read = readerOf(this.#database);
    this.#writer = writer;
    const port = this.#portToWriter();
    this.#caller = new Caller(port);
    // Calls keep the process alive, an open file does not.
    port.unref();
    writer.unref();
    const callings = { inMemory: this.#answer, write: this.#caller.call };
    this.engine = engineOf(this.#read, callings, () => this.#close());
  }

  /** Opens search indexes for at most three seconds. */
  warmUp(): void {
    this.#read(({ pageIndex }) => pageIndex.warm(WARM_UP_MS));
  }

  /** What another thread needs for `attachEngine`. */
  readonly connect = (): { readonly data: Attachment; readonly transfer: readonly MessagePort[] } => {
    const { port1: own, port2: host } = new MessageChannel();
    this.#ports.add(own);
    answerCalls(own, this.#answer);
    own.on('close', () => this.#ports.delete(own));
    const writer = this.#portToWriter();
    return { data: { file: this.#file, host, writer }, transfer: [host, writer] };
  };

  #portToWriter(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#writer.postMessage(port1, [port1]);
    return port2;
  }

  readonly #answer: Calling = async (call) => this.#read((stores) => answerOf(stores, call));

  async #close(): Promise<void> {
    await this.#caller.close();
    for (const port of this.#ports) port.close();
    this.#database.close(); // the last connection to be closed moves the write-ahead log into the file
    const ended = once(this.#writer, 'exit');
    this.#writer.ref();
    this.#writer.postMessage('close');
    await ended;
  }
}
