import { parentPort, workerData } from 'node:worker_threads';
import { attachEngine, closeEngine } from '../../lambdas/adapters/local/engine.ts';
import { queue } from '../../lambdas/adapters/local/queue.ts';
import { table } from '../../lambdas/adapters/local/table.ts';

/* A thread that uses the store of the thread that started it: it hands a message on, then ends at a word from outside. */

const { died } = attachEngine(workerData);
died.then(() => parentPort?.postMessage('died'));

parentPort?.once('message', async () => {
  await table.update({ pk: 'guest', sk: 'last' }, { add: { n: 1 } });
  void table.update({ pk: 'guest', sk: 'last' }, { add: { n: 1 } });
  await closeEngine();
  parentPort?.postMessage('left');
});

const [delivery] = await queue.receive('crawl', { max: 1, waitSeconds: 10 });
await queue.acknowledge('crawl', delivery?.receipt ?? '');
await queue.send('clean-up', { body: `${delivery?.body} and back` });
