import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { SegmentMerger } from '../index-store/segment-merger.ts';
import { type Call, Caller, type EngineMessage } from './calls.ts';
import { FILE_NAME, openDatabase, shrink } from './database.ts';
import { Dispatcher } from './dispatcher.ts';
import { groupCommit } from './group-commit.ts';
import { fileFailure } from './sqlite-error.ts';
import { CLOCKS, openStores, type Reads, readsOf, type Stores } from './stores.ts';

const WARM_UP_MS = 3000;
const SWEEP_ITEMS = 500;
const SHRINK_PAGES = 250;
const SWEEP_PAUSE_MS = 10_000;
const SWEEP_AGAIN_MS = 200;

/** What another thread needs to use the store: transfer `port` to it. */
export type Attachment = { readonly port: MessagePort; readonly file: string };

/** The storage engine, in the thread that opens the file to write. */
export class StoreHost {
  readonly reads: Reads;
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #dispatcher: Dispatcher;
  readonly #caller: Caller;
  readonly #ports = new Set<MessagePort>();
  readonly #stores: Stores;
  readonly #sweeper: Sweeper;
  readonly #merger: SegmentMerger;

  constructor(dataDir: string, onError: (error: unknown) => void) {
    this.#file = join(dataDir, FILE_NAME);
    this.#database = openDatabase(dataDir);
    const notified = new Set<string>();
    this.#stores = openStores(this.#database, CLOCKS, (queue) => notified.add(queue));
    const commit = groupCommit(this.#database, this.#stores);
    this.#dispatcher = new Dispatcher({ stores: this.#stores, notified, commit });
    const self = { postMessage: (message: EngineMessage) => this.#caller.receive(message) };
    this.#caller = new Caller((call) => this.#dispatcher.dispatch(self, call));
    this.#dispatcher.connect(self);
    this.reads = readsOf(this.#stores);
    this.#sweeper = new Sweeper(this.#database, this.#stores);
    this.#merger = new SegmentMerger(this.#database, { file: this.#file, writer: this.call.pageIndex, onError });
  }

  get call(): Caller['stores'] {
    return this.#caller.stores;
  }

  /** Opens search indexes for at most three seconds. */
  warmUp(): void {
    this.#stores.pageIndex.warm(WARM_UP_MS);
  }

  /** What another thread needs for `attachEngine`. */
  readonly connect = (): Attachment => {
    const { port1: own, port2: port } = new MessageChannel();
    this.#ports.add(own);
    const client = { postMessage: (message: EngineMessage) => own.postMessage(message) };
    this.#dispatcher.connect(client);
    own.on('message', (call: Call) => {
      const reply = this.#dispatcher.dispatch(client, call);
      if (reply) client.postMessage({ replies: [reply], notified: [] });
    });
    own.on('close', () => {
      this.#ports.delete(own);
      this.#dispatcher.disconnect(client);
    });
    return { port, file: this.#file };
  };

  async close(): Promise<void> {
    const settled = this.#caller.settled();
    this.#sweeper.end();
    this.#dispatcher.finish();
    this.#closeMerger();
    this.#database.close();
    for (const port of this.#ports) port.close();
    await settled;
  }

  /** Deleted words leave the file at a clean end too, if it can be written. */
  #closeMerger(): void {
    const { storeParts, replace } = this.#stores.pageIndex;
    try {
      this.#merger.close((replacement, parts) => {
        this.#database.exec('BEGIN IMMEDIATE');
        if (replacement.made) storeParts(replacement.made.id, parts, 0);
        replace(replacement);
        this.#database.exec('COMMIT');
      });
    } catch (error) {
      if (!fileFailure(error)) throw error;
    }
  }
}

/** Deletes expired items and returns unused space, in small steps, so that no call waits long. */
class Sweeper {
  readonly #database: DatabaseSync;
  readonly #stores: Stores;
  #timer: NodeJS.Timeout;

  constructor(database: DatabaseSync, stores: Stores) {
    this.#database = database;
    this.#stores = stores;
    this.#timer = this.#sweepAfter(SWEEP_AGAIN_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #sweepAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#sweep(), ms).unref();
  }

  #sweep(): void {
    let isMore = false;
    try {
      const swept = this.#stores.table.sweep(SWEEP_ITEMS);
      isMore = shrink(this.#database, SHRINK_PAGES) || swept === SWEEP_ITEMS;
    } catch (error) {
      if (!fileFailure(error)) throw error; // the calls say so
    }
    this.#timer = this.#sweepAfter(isMore ? SWEEP_AGAIN_MS : SWEEP_PAUSE_MS);
  }
}
