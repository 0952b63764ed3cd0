import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { ApiEvent } from '../../lambdas/runtime/api-event.ts';
import { openStore } from '../../local/threads/open-store.ts';
import { workersOf } from '../../local/threads/workers.ts';

/*
 * Terminates the workers' thread while the store is locked, and prints a line when a new thread runs. Calls an endpoint
 * in the first thread, while it dies, and in the next.
 */

const nextWorker = async (): Promise<Worker> => (await once(process, 'worker'))[0];
const event = { httpMethod: 'POST', headers: {}, requestContext: { requestId: 'r' } } as unknown as ApiEvent;

const folder = process.argv[2] ?? '';
const store = await openStore(folder);
const first = nextWorker();
const workers = workersOf(store);
await workers.start();
console.log(`an endpoint: ${(await workers.run('ingest-pages', event)).statusCode}`);
const other = new DatabaseSync(join(folder, 'site-search.sqlite'));
other.exec('BEGIN IMMEDIATE');
const refused = workers.run('ingest-pages', event).catch(({ name }: Error) => name);
await (await first).terminate();
console.log(`an endpoint, as the thread dies: ${await refused}`);
const second = nextWorker();
await delay(5500); // longer than the pause before a restart plus the time limit of a call
other.exec('ROLLBACK');
other.close();
await second;
console.log('the workers run again');
console.log(`an endpoint: ${(await workers.run('ingest-pages', event)).statusCode}`);
process.exit();
