import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { startWorkers } from '../../bin/local/workers.ts';
import { openEngine } from '../../lambdas/adapters/local/engine.ts';

/* Opens a store, ends the thread of the workers while nobody can write there for a while, and tells when there is another one. */

const nextWorker = async (): Promise<Worker> => (await once(process, 'worker'))[0];

const folder = process.argv[2] ?? '';
const engine = await openEngine(folder);
const first = nextWorker();
await startWorkers(engine);
const other = new DatabaseSync(join(folder, 'site-search.sqlite'));
other.exec('BEGIN IMMEDIATE');
await (await first).terminate();
const second = nextWorker();
await delay(5500); // longer than the pause before a restart and a call together
other.exec('ROLLBACK');
other.close();
await second;
console.log('there are workers again');
process.exit();
