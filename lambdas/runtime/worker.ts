import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import type { QueueDefinition } from '../messages.ts';
import { log } from './log.ts';

export type WorkerHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** Parses and runs each message of a batch, and reports the failed ones: only they are delivered again. */
export function worker<const Q extends QueueDefinition>(
  queue: Q,
  run: (message: z.output<Q['message']>) => Promise<void>,
): WorkerHandler {
  const succeeds = async ({ body }: SQSRecord): Promise<boolean> => {
    try {
      await run(queue.message.parse(JSON.parse(body)) as z.output<Q['message']>);
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
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}
