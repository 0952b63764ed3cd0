import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { openStore } from '../../local/threads/open-store.ts';
import { startWorkers } from '../../local/threads/workers.ts';

/* Terminates the workers' thread while the store is locked, and prints a line when a new thread runs. */

const nextWorker = async (): Promise<Worker> => (await once(process, 'worker'))[0];

const folder = process.argv[2] ?? '';
const store = await openStore(folder);
const first = nextWorker();
await startWorkers(store);
const other = new DatabaseSync(join(folder, 'site-search.sqlite'));
other.exec('BEGIN IMMEDIATE');
await (await first).terminate();
const second = nextWorker();
await delay(5500); // longer than the pause before a restart plus the time limit of a call
other.exec('ROLLBACK');
other.close();
await second;
console.log('the workers run again');
process.exit();
