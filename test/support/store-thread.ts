import { parentPort, workerData } from 'node:worker_threads';
import { queue } from '../../local/sqlite/queue.ts';
import { table } from '../../local/sqlite/table.ts';
import { attachEngine, closeEngine } from '../../local/threads/open-store.ts';

/* A thread on the engine of its parent: it forwards one queue message, and ends when its parent posts a message. */

attachEngine(workerData);

parentPort?.once('message', async () => {
  try {
    await table.update({ pk: 'thread', sk: 'last' }, { add: { n: 1 } });
  } catch (error) {
    parentPort?.postMessage(String(error));
    return;
  }
  void table.update({ pk: 'thread', sk: 'last' }, { add: { n: 1 } });
  await closeEngine();
  parentPort?.postMessage('left');
});

const [message] = await queue.receive('crawl', { max: 1, waitSeconds: 10 });
await queue.acknowledge('crawl', message?.receipt ?? '');
await queue.send('clean-up', { body: `${message?.body} and back` });
