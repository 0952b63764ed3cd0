import { type QueueDefinition, type QueueName, queues } from '../lambdas/messages.ts';

/**
 * Tells whether a message of the queue can lead to another message of the same queue, through workers or dead letters.
 * The service itself ends such a chain: by the limits of a job, of attempts, or at the end of a list
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
