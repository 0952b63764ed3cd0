import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type * as z from 'zod';
import type { QueueDefinition } from '../messages.ts';
import { log } from './log.ts';

export type WorkerHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** Parses and runs each message of a batch, and reports those that failed, so that only they come again. */
export function worker<const Q extends QueueDefinition>(
  queue: Q,
  run: (message: z.output<Q['message']>) => Promise<void>,
): WorkerHandler {
  return async ({ Records }) => {
    const failed: string[] = [];
    for (const { messageId, body } of Records) {
      try {
        await run(queue.message.parse(JSON.parse(body)) as z.output<Q['message']>);
      } catch (error) {
        log('error', 'message failed', { worker: queue.worker, error });
        failed.push(messageId);
        if (queue.fifo) {
          failed.push(
            ...Records.slice(Records.findIndex((record) => record.messageId === messageId) + 1).map(
              (record) => record.messageId,
            ),
          );
          break; // what follows in the group must not overtake it
        }
      }
    }
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
}
