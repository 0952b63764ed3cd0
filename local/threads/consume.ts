import type { SQSRecord } from 'aws-lambda';
import { queue } from '#adapters/queue';
import { UnavailableError } from '../../lambdas/domain/errors.ts';
import type { ReceivedMessage } from '../../lambdas/domain/ports/queue.ts';
import type { QueueName } from '../../lambdas/messages.ts';
import { log } from '../../lambdas/runtime/log.ts';
import { sleep } from '../../lambdas/runtime/system.ts';
import type { WorkerHandler } from '../../lambdas/runtime/worker.ts';

const WAIT_SECONDS = 1;
/** The pause after an error, before the queue is read again. */
const PAUSE_MS = 1000;

/**
 * Passes a queue's messages to its worker until `halt`, like an event source in AWS. Runs up to `atOnce` messages at
 * once.
 */
export async function consume(name: QueueName, handler: WorkerHandler, halt: AbortSignal, atOnce = 1): Promise<void> {
  const working = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  const begin = (message: ReceivedMessage): void => {
    const work: Promise<unknown> = process(name, message, handler)
      .catch((error: unknown) => failures.push(error))
      .finally(() => working.delete(work));
    working.add(work);
  };
  while (!halt.aborted) {
    try {
      if (failures.length > 0) throw failures.shift();
      if (working.size >= atOnce) await Promise.race(working);
      else for (const message of await queue.receive(name, { max: 1, waitSeconds: WAIT_SECONDS })) begin(message);
    } catch (error) {
      log('error', 'queue failed', { queue: name, error });
      if (!(error instanceof UnavailableError)) throw error;
      await sleep(PAUSE_MS);
    }
  }
  await Promise.all(working);
}

/** Runs the worker on one message. A failed message becomes visible again after its visibility timeout, as in AWS. */
async function process(name: QueueName, { receipt, body }: ReceivedMessage, handler: WorkerHandler): Promise<void> {
  const record = { messageId: receipt, receiptHandle: receipt, body } as SQSRecord;
  const { batchItemFailures } = await handler({ Records: [record] });
  if (batchItemFailures.length === 0) await queue.acknowledge(name, receipt);
}
