import { type QueueDefinition, type QueueName, queues } from '../lambdas/messages.ts';
import type { Bundle } from './bundle.ts';

/**
 * Whether a message of the queue can lead to another one of the same queue, by what workers send and by dead letters.
 * What ends such a chain is the service's own: the limits of a job, of attempts, or the end of a list.
 */
export function feedsItself(queue: QueueName, { sendsTo }: Pick<Bundle, 'sendsTo'>): boolean {
  const reached = new Set(nextQueues(queue, sendsTo));
  for (const name of reached) for (const next of nextQueues(name, sendsTo)) reached.add(next); // the loop visits it too
  return reached.has(queue);
}

function nextQueues(queue: QueueName, sendsTo: Bundle['sendsTo']): readonly QueueName[] {
  const { worker, deadLetters }: QueueDefinition = queues[queue];
  const sent = worker === undefined ? [] : sendsTo(`workers/${worker}`);
  return deadLetters === undefined ? sent : [...sent, deadLetters as QueueName];
}
