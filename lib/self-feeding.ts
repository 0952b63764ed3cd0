import { type QueueDefinition, type QueueName, queues } from '../lambdas/messages.ts';

/**
 * Whether a message of the queue can lead to another one of the same queue, by what workers send and by dead letters.
 * What ends such a chain is the service's own: the limits of a job, of attempts, or the end of a list
 * (docs/decisions/010-crawl-jobs.md).
 */
export function feedsItself(queue: QueueName): boolean {
  const reached = new Set(nextQueues(queue));
  for (const name of reached) for (const next of nextQueues(name)) reached.add(next); // the loop visits it too
  return reached.has(queue);
}

function nextQueues(queue: QueueName): readonly QueueName[] {
  const { sends = [], deadLetters }: QueueDefinition = queues[queue];
  return deadLetters === undefined ? sends : [...sends, deadLetters];
}
