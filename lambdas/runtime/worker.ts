import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { UnavailableError } from '../domain/errors.ts';
import type { QueueDefinition } from '../messages.ts';
import { log } from './log.ts';

export type WorkerHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/**
 * Creates the worker of a queue. It parses and runs each message of a batch and reports the failed ones: only these are
 * delivered again.
 */
export function worker<const Q extends QueueDefinition>(
  queue: Q,
  run: (message: z.output<Q['message']>) => Promise<void>,
): WorkerHandler {
  const succeeds = async ({ body }: SQSRecord): Promise<boolean> => {
    try {
      await run(messageIn(queue, body));
      return true;
    } catch (error) {
      log('error', 'message failed', { worker: queue.worker, error });
      return false;
    }
  };
  return async ({ Records }) => {
    const failed: SQSRecord[] = [];
    for (const record of Records) {
      const mustWait = queue.fifo && failed.length > 0; // a FIFO message must not overtake a failed one
      if (mustWait || !(await succeeds(record))) failed.push(record);
    }
    return failures(failed);
  };
}

/**
 * Creates a worker that runs the messages of a batch together. If that fails, it runs each alone, so that only the
 * faulty ones are delivered again. If a service is unavailable, all are.
 */
export function batchWorker<const Q extends QueueDefinition>(
  queue: Q,
  run: (messages: readonly z.output<Q['message']>[]) => Promise<void>,
): WorkerHandler {
  const oneByOne = worker(queue, (message) => run([message]));
  return async (event) => {
    try {
      await run(event.Records.map(({ body }) => messageIn(queue, body)));
      return failures([]);
    } catch (error) {
      if (!(error instanceof UnavailableError)) return oneByOne(event);
      log('error', 'messages failed', { worker: queue.worker, error });
      return failures(event.Records);
    }
  };
}

const messageIn = <Q extends QueueDefinition>(queue: Q, body: string): z.output<Q['message']> =>
  queue.message.parse(JSON.parse(body)) as z.output<Q['message']>;

const failures = (records: readonly SQSRecord[]): SQSBatchResponse => ({
  batchItemFailures: records.map(({ messageId }) => ({ itemIdentifier: messageId })),
});
