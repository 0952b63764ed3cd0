import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { answerCalls, CALL_TIMEOUT_MS, type Call, Caller, monotonicMs } from './engine/calls.ts';
import { type Engine, engineIsOpen, setEngine } from './engine/current.ts';
import { openDatabase, openReader, shrink } from './engine/database.ts';
import { FILE_NAME } from './engine/schema.ts';
import { fileFailure, storeError } from './engine/store-error.ts';
import { openStores, type Reads, type Stores } from './engine/stores.ts';
import { Writer } from './engine/writer.ts';
import { SegmentMerger } from './index-store/segment-merger.ts';

export { closeEngine } from './engine/current.ts';

const WARM_UP_MS = 3000;
const SWEEP_ITEMS = 500;
const SHRINK_PAGES = 250;
const SWEEP_PAUSE_MS = 10_000;
const SWEEP_AGAIN_MS = 200;

/** What another thread needs to use the store: transfer `port` to it. */
type Attachment = { readonly port: MessagePort; readonly file: string };

/**
 * Opens the file of the folder, once per process. Throws an error of one line that says what to do. `onError` is called
 * if work in the background fails; it is tried again later.
 */
export async function openEngine(dataDir: string, onError: (error: unknown) => void = () => {}): Promise<StoreHost> {
  if (engineIsOpen()) throw new Error('The local store is already open');
  const host = new StoreHost(dataDir, onError);
  setEngine(host.engine);
  return host;
}

/** Makes this thread use the engine that another thread has opened. */
export function attachEngine({ port, file }: Attachment): void {
  const caller = new Caller(port);
  const database = openReader(file);
  const close = async () => {
    await caller.close();
    database.close();
  };
  setEngine(engineOf(openStores(database), (call) => caller.call(call), close));
}

type Calling = (call: Call) => Promise<unknown>;

const engineOf = (stores: Reads, call: Calling, close: Engine['close']): Engine => ({
  read(from) {
    try {
      return from(stores);
    } catch (error) {
      throw storeError(error);
    }
  },
  call: async (store, method, ...args) => {
    const deadline = monotonicMs() + CALL_TIMEOUT_MS;
    return (await call({ store, method: String(method), args, deadline })) as never;
  },
  close,
});

/** The storage engine, in the thread that opens the file to write. */
export class StoreHost {
  readonly engine: Engine;
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #stores: Stores;
  readonly #writer: Writer;
  readonly #ports = new Set<MessagePort>();
  readonly #merger: SegmentMerger;
  #sweepTimer: NodeJS.Timeout;

  constructor(dataDir: string, onError: (error: unknown) => void) {
    this.#file = join(dataDir, FILE_NAME);
    this.#database = openDatabase(dataDir);
    this.#stores = openStores(this.#database);
    this.#stores.queue.forgetFuture();
    this.#writer = new Writer(this.#database, this.#stores);
    const call: Calling = (call) => this.#writer.call(call, this);
    this.engine = engineOf(this.#stores, call, () => this.#close());
    this.#merger = new SegmentMerger(this.#database, { file: this.#file, engine: this.engine, onError });
    this.#sweepTimer = this.#sweepAfter(SWEEP_AGAIN_MS);
  }

  /** Opens search indexes for at most three seconds. */
  warmUp(): void {
    this.#stores.pageIndex.warm(WARM_UP_MS);
  }

  /** What another thread needs for `attachEngine`. */
  readonly connect = (): Attachment => {
    const { port1: own, port2: port } = new MessageChannel();
    this.#ports.add(own);
    answerCalls(own, (call) => this.#writer.call(call, own));
    own.on('close', () => this.#ports.delete(own));
    return { port, file: this.#file };
  };

  async #close(): Promise<void> {
    clearTimeout(this.#sweepTimer);
    await this.#merger.close();
    this.#writer.finish();
    await nextTurn(); // the answers are sent
    for (const port of this.#ports) port.close();
    this.#writer.finish(); // what has come meanwhile
    this.#database.close();
  }

  #sweepAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#sweep(), ms).unref();
  }

  /** Deletes expired items and returns unused space, in small steps, so that no call waits long. */
  #sweep(): void {
    let isMore = false;
    try {
      const swept = this.#stores.table.sweep(SWEEP_ITEMS);
      isMore = shrink(this.#database, SHRINK_PAGES) || swept === SWEEP_ITEMS;
    } catch (error) {
      if (!fileFailure(error)) throw error; // the calls say so
    }
    this.#sweepTimer = this.#sweepAfter(isMore ? SWEEP_AGAIN_MS : SWEEP_PAUSE_MS);
  }
}
