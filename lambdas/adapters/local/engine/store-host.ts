import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Engine } from '../engine.ts';
import { engineClient } from './client.ts';
import { openDatabase } from './database.ts';
import { Dispatcher } from './dispatcher.ts';
import { groupCommit } from './group-commit.ts';
import type { Call, News } from './protocol.ts';
import { isOutage } from './sqlite-error.ts';
import { openStores, type Stores } from './stores.ts';

/** A start takes this much longer at most, and one site: the first visitor need not wait for it then. */
const WARMING_MS = 3000;
const SWEEP_ITEMS = 500;
const SWEEP_PAUSE_MS = 60_000;
const SWEEP_AGAIN_MS = 200;

/**
 * The engine of the thread that opens the file, and the only one that touches it: this thread's reads are answered on the spot, without a
 * message and a second thread's waking up. Throws an Error of one line that says what to do.
 */
export class OwnEngine implements Engine {
  readonly call: Engine['call'];
  readonly #database: ReturnType<typeof openDatabase>;
  readonly #dispatcher: Dispatcher;
  readonly #guests = new Set<MessagePort>();
  readonly #leave: () => Promise<void>;
  readonly #sweeping: Sweeping;

  constructor(dataDir: string) {
    this.#database = openDatabase(dataDir);
    const rung = new Set<string>();
    const stores = openStores(this.#database, Date.now, (queue) => rung.add(queue));
    const dispatcher = new Dispatcher({ stores, rung, commit: groupCommit(this.#database, stores) });
    const { call, hear, leave } = engineClient((made) => dispatcher.takeOwn(self, made));
    const self = { postMessage: hear };
    dispatcher.connect(self);
    this.#dispatcher = dispatcher;
    this.call = call;
    this.#leave = leave;
    stores.pageIndex.warm(WARMING_MS);
    this.#sweeping = new Sweeping(stores);
  }

  /** A port for another thread to give to `attachEngine`; it is to be transferred there. */
  readonly connect = (): MessagePort => {
    const { port1: guest, port2 } = new MessageChannel();
    this.#guests.add(guest);
    const client = { postMessage: (news: News) => guest.postMessage(news) };
    this.#dispatcher.connect(client);
    guest.on('message', (call: Call) => this.#dispatcher.take(client, call));
    guest.on('close', () => {
      this.#guests.delete(guest);
      this.#dispatcher.disconnect(client);
    });
    return port2;
  };

  /** After all calls that have arrived. */
  async close(): Promise<void> {
    const left = this.#leave();
    this.#sweeping.end();
    this.#dispatcher.finish();
    this.#database.close();
    for (const guest of this.#guests) guest.close();
    await left;
  }
}

/** Deletes what has expired, a little at a time, so that no call waits long. */
class Sweeping {
  readonly #stores: Stores;
  #timer: NodeJS.Timeout;

  constructor(stores: Stores) {
    this.#stores = stores;
    this.#timer = this.#again(SWEEP_AGAIN_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #again(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#sweep(), ms).unref();
  }

  #sweep(): void {
    let swept = 0;
    try {
      swept = this.#stores.table.sweep(SWEEP_ITEMS);
    } catch (error) {
      if (!isOutage(error)) throw error;
    }
    this.#timer = this.#again(swept === SWEEP_ITEMS ? SWEEP_AGAIN_MS : SWEEP_PAUSE_MS);
  }
}
