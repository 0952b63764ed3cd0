import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { queue } from '#adapters/queue';
import { closeStore, openStore } from '../../local/threads/open-store.ts';
import { store } from '../../local/threads/store.ts';
import { startWorkers } from '../../local/threads/workers.ts';

/* Gives the workers a message, and the thread that takes the place of the first another. Prints who has ended how. */

const REST_MS = 100;
const isEmpty = (): boolean => store().read.queue.isEmpty('clean-up');
const nextWorker = async (): Promise<Worker> => (await once(process, 'worker'))[0];

const host = await openStore(process.argv[2] ?? '');
let next = nextWorker();
const workers = await startWorkers(host, undefined, REST_MS);
for (const name of ['first', 'second']) {
  const thread = await next;
  next = nextWorker();
  await queue.send('clean-up', { body: JSON.stringify({ siteId: 'site_0000000000000000' }) });
  const [code] = await once(thread, 'exit');
  console.log(`the ${name} thread ended with ${code}, ${isEmpty() ? 'after' : 'before'} its message was done`);
}
await next;
await workers.stop();
await closeStore();
console.log('stopped');
