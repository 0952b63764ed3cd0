import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './database.ts';
import { Dispatcher } from './dispatcher.ts';
import { groupCommit } from './group-commit.ts';
import type { Call, Opening, Order } from './protocol.ts';
import { isOutage } from './sqlite-error.ts';
import { openStores, type Stores } from './stores.ts';

/* The one thread of a process that touches the file: opens it, then answers calls until it is told to close. */

/** A start takes this much longer at most, and one site: the first visitor need not wait for it then. */
const WARMING_MS = 3000;
const SWEEP_ITEMS = 500;
const SWEEP_PAUSE_MS = 60_000;
const SWEEP_AGAIN_MS = 200;

if (parentPort === null) throw new Error('This file runs as a worker thread');
start(parentPort, String(workerData));

function start(owner: MessagePort, dataDir: string): void {
  try {
    serve(owner, dataDir);
    owner.postMessage({ opened: true } satisfies Opening);
  } catch (error) {
    owner.postMessage({ refused: error instanceof Error ? error.message : String(error) } satisfies Opening);
  }
}

function serve(owner: MessagePort, dataDir: string): void {
  const database = openDatabase(dataDir);
  const rung = new Set<string>();
  const stores = openStores(database, Date.now, (queue) => rung.add(queue));
  const dispatcher = new Dispatcher({ stores, rung, commit: groupCommit(database, stores) });
  const guests = new Set<MessagePort>();

  const close = () => {
    dispatcher.finish();
    database.close();
    for (const port of [owner, ...guests]) port.close();
  };

  const welcome = (guest: MessagePort) => {
    guests.add(guest);
    dispatcher.connect(guest);
    guest.on('message', (call: Call) => dispatcher.take(guest, call));
    guest.on('close', () => {
      guests.delete(guest);
      dispatcher.disconnect(guest);
    });
  };

  stores.pageIndex.warm(WARMING_MS);
  dispatcher.connect(owner);
  owner.on('message', (order: Order) => {
    if (order === 'close') close();
    else if ('connect' in order) welcome(order.connect);
    else dispatcher.take(owner, order);
  });
  setTimeout(sweep, SWEEP_AGAIN_MS, stores).unref();
}

/** Deletes what has expired, a little at a time, so that no call waits long. */
function sweep(stores: Stores): void {
  let swept = 0;
  try {
    swept = stores.table.sweep(SWEEP_ITEMS);
  } catch (error) {
    if (!isOutage(error)) throw error;
  }
  setTimeout(sweep, swept === SWEEP_ITEMS ? SWEEP_AGAIN_MS : SWEEP_PAUSE_MS, stores).unref();
}
