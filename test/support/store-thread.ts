import { parentPort, workerData } from 'node:worker_threads';
import { queue } from '../../local/sqlite/queue.ts';
import { table } from '../../local/sqlite/table.ts';
import { attachStore, closeStore } from '../../local/threads/open-store.ts';

/* A thread on the store of its parent: it forwards one queue message, and ends when its parent posts a message. */

attachStore(workerData);

parentPort?.once('message', async () => {
  try {
    await table.update({ pk: 'thread', sk: 'last' }, { add: { n: 1 } });
  } catch (error) {
    parentPort?.postMessage(String(error));
    return;
  }
  void table.update({ pk: 'thread', sk: 'last' }, { add: { n: 1 } });
  await closeStore();
  parentPort?.postMessage('left');
});

const [message] = await queue.receive('crawl', { max: 1, waitSeconds: 10 });
await queue.acknowledge('crawl', message?.receipt ?? '');
await queue.send('clean-up', { body: `${message?.body} and back` });
