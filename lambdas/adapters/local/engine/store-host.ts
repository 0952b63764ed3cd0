import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { SegmentMerger } from '../search-engine/segment-merger.ts';
import { type Engine, engineClient } from './client.ts';
import { FILE_NAME, openDatabase, shrink } from './database.ts';
import { Dispatcher } from './dispatcher.ts';
import { groupCommit } from './group-commit.ts';
import type { Call, EngineMessage } from './protocol.ts';
import { fileFailure } from './sqlite-error.ts';
import { CLOCKS, openStores, type Stores } from './stores.ts';

const WARM_UP_MS = 3000;
const SWEEP_ITEMS = 500;
const SHRINK_PAGES = 250;
const SWEEP_PAUSE_MS = 10_000;
const SWEEP_AGAIN_MS = 200;

/** The storage engine, in the thread that opens the file. Other threads call it by messages; own reads are direct. */
export class StoreHost implements Engine {
  readonly call: Engine['call'];
  readonly #database: DatabaseSync;
  readonly #dispatcher: Dispatcher;
  readonly #ports = new Set<MessagePort>();
  readonly #leave: () => Promise<void>;
  readonly #stores: Stores;
  readonly #sweeper: Sweeper;
  readonly #merger: SegmentMerger;

  constructor(dataDir: string) {
    this.#database = openDatabase(dataDir);
    const notified = new Set<string>();
    const stores = openStores(this.#database, CLOCKS, (queue) => notified.add(queue));
    const dispatcher = new Dispatcher({ stores, notified, commit: groupCommit(this.#database, stores) });
    const { call, receive, leave } = engineClient((made) => dispatcher.answerOrEnqueue(self, made));
    const self = { postMessage: receive };
    dispatcher.connect(self);
    this.#dispatcher = dispatcher;
    this.call = call;
    this.#leave = leave;
    this.#stores = stores;
    this.#sweeper = new Sweeper(this.#database, stores);
    this.#merger = new SegmentMerger(this.#database, join(dataDir, FILE_NAME), call.pageIndex);
  }

  /** Opens search indexes for at most three seconds. */
  warmUp(): void {
    this.#stores.pageIndex.warm(WARM_UP_MS);
  }

  /** A port for `attachEngine` in another thread. Transfer it there. */
  readonly connect = (): MessagePort => {
    const { port1: own, port2: other } = new MessageChannel();
    this.#ports.add(own);
    const client = { postMessage: (message: EngineMessage) => own.postMessage(message) };
    this.#dispatcher.connect(client);
    own.on('message', (call: Call) => this.#dispatcher.enqueue(client, call));
    own.on('close', () => {
      this.#ports.delete(own);
      this.#dispatcher.disconnect(client);
    });
    return other;
  };

  async close(): Promise<void> {
    const left = this.#leave();
    this.#sweeper.end();
    this.#dispatcher.finish();
    this.#closeMerger();
    this.#database.close();
    for (const port of this.#ports) port.close();
    await left;
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
