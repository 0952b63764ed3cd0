import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { log } from '../../lambdas/runtime/log.ts';
import { openDatabase, retryWhileBusy, shrink, vanishCheck } from '../sqlite/database.ts';
import { fileFailure } from '../sqlite/store-error.ts';
import { openStores } from '../sqlite/stores.ts';
import { answerCalls } from './calls.ts';
import { Writer } from './writer.ts';

/*
 * Writes the file of a data folder for all threads. Its parent sends it the ports of their calls, and finally 'close'.
 * It posts a message once the file is open.
 */

const SWEEP_ITEMS = 500;
const SHRINK_PAGES = 250;
const SWEEP_PAUSE_MS = 10_000;
const SWEEP_AGAIN_MS = 200;

const database = openDatabase(workerData, (tables) =>
  log('error', 'the data file had lost tables, which are empty now; restore a backup to have their rows', { tables }),
);
const stores = openStores(database);
retryWhileBusy(() => stores.queue.forgetFuture()); // another process may be writing
const writer = new Writer(database, stores, undefined, vanishCheck(workerData));
const ports = new Set<MessagePort>();
let sweepTimer = sweepAfter(SWEEP_AGAIN_MS);

parentPort?.on('message', (message: MessagePort | 'close') => (message === 'close' ? void close() : connect(message)));
parentPort?.postMessage('open');

function connect(port: MessagePort): void {
  ports.add(port);
  answerCalls(port, (call) => writer.call(call, port));
  port.on('close', () => ports.delete(port));
}

async function close(): Promise<void> {
  clearTimeout(sweepTimer);
  writer.finish();
  await nextTurn(); // the answers are sent in this turn
  for (const port of ports) port.close();
  writer.finish(); // runs the calls that have arrived since
  database.close();
  parentPort?.close();
}

function sweepAfter(ms: number): NodeJS.Timeout {
  return setTimeout(sweep, ms).unref();
}

/** Deletes expired items and returns unused space, in small steps, so that no call waits long. */
function sweep(): void {
  let isMore = false;
  try {
    const swept = stores.table.sweep(SWEEP_ITEMS);
    isMore = shrink(database, SHRINK_PAGES) || swept === SWEEP_ITEMS;
  } catch (error) {
    if (!fileFailure(error)) throw error; // the calls report it
  }
  sweepTimer = sweepAfter(isMore ? SWEEP_AGAIN_MS : SWEEP_PAUSE_MS);
}
