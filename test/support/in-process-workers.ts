import { pageReader } from '#adapters/page-reader';
import { type QueueDefinition, type QueueName, queues } from '../../lambdas/messages.ts';
import { halt, requestHalt } from '../../lambdas/runtime/system.ts';
import type { WorkerHandler } from '../../lambdas/runtime/worker.ts';
import { consume } from '../../local/threads/consume.ts';

/** The number of crawls at once, as in the local service. */
const CRAWLS = 10;

/** Runs the worker of every queue in this process; returns a function that stops them. */
export function startWorkers(): () => Promise<void> {
  const consumers = (Object.entries(queues) as [QueueName, QueueDefinition][]).flatMap(([name, { worker }]) => {
    if (worker === undefined) return [];
    const handler: WorkerHandler = async (event) => (await load(worker)).handler(event);
    return Array.from({ length: name === 'crawl' ? CRAWLS : 1 }, () => consume(name, handler, halt));
  });
  return async () => {
    requestHalt();
    await Promise.all(consumers);
    await pageReader.close();
  };
}

const load = (worker: string): Promise<{ readonly handler: WorkerHandler }> =>
  import(`../../lambdas/workers/${worker}.ts`);
