import type { SQSRecord } from 'aws-lambda';
import { queue } from '#adapters/queue';
import { UnavailableError } from '../../lambdas/core/errors.ts';
import type { ReceivedMessage } from '../../lambdas/core/ports/queue.ts';
import type { QueueName } from '../../lambdas/messages.ts';
import { log } from '../../lambdas/runtime/log.ts';
import type { WorkerHandler } from '../../lambdas/runtime/worker.ts';

const WAIT_SECONDS = 1;

/** Feeds a queue's messages to its worker one by one, as an event source does in AWS, until `halt`. */
export async function consume(name: QueueName, handler: WorkerHandler, halt: AbortSignal): Promise<void> {
  while (!halt.aborted) {
    try {
      for (const delivery of await queue.receive(name, { max: 1, waitSeconds: WAIT_SECONDS }))
        await deliver(name, delivery, handler);
    } catch (error) {
      log('error', 'queue failed', { queue: name, error });
      if (!(error instanceof UnavailableError)) throw error;
    }
  }
}

/** A message that failed stays away for its visibility time-out, as in AWS. */
async function deliver(name: QueueName, { receipt, body }: ReceivedMessage, handler: WorkerHandler): Promise<void> {
  const record = { messageId: receipt, receiptHandle: receipt, body } as SQSRecord;
  const { batchItemFailures } = await handler({ Records: [record] });
  if (batchItemFailures.length === 0) await queue.acknowledge(name, receipt);
}
