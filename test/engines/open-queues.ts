import { randomUUID } from 'node:crypto';
import { CreateQueueCommand, DeleteQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type QueueDefinition, queues } from '../../lambdas/messages.ts';
import { setAwsEnvironment } from './aws-environment.ts';
import { engineUrl } from './engine-url.ts';

/** Any account id works: the server holds the queues of one account. */
const ACCOUNT = '000000000000';

/** Creates the queues of `messages.ts` on the SQS at `SQS_URL`; sets the environment for adapters imported later. */
export async function openQueues(): Promise<{ close(): Promise<void> }> {
  const endpoint = engineUrl('elasticmq');
  const prefix = `test-${randomUUID()}-`;
  const base = `${endpoint}/${ACCOUNT}/${prefix}`;
  setAwsEnvironment({ QUEUE_URL_PREFIX: base });
  const client = new SQSClient({ endpoint });
  const definitions: readonly (readonly [string, QueueDefinition])[] = Object.entries(queues);
  // Dead-letter queues first, because the others refer to them.
  const ordered = definitions.toSorted(([, one], [, other]) => rank(one) - rank(other));
  for (const [name, definition] of ordered) {
    const QueueName = fileName(prefix + name, definition);
    await client.send(new CreateQueueCommand({ QueueName, Attributes: attributesOf(prefix, definition) }));
  }
  return {
    async close() {
      for (const [name, definition] of definitions) {
        await client.send(new DeleteQueueCommand({ QueueUrl: fileName(base + name, definition) }));
      }
    },
  };
}

const rank = ({ deadLetters }: QueueDefinition): number => (deadLetters === undefined ? 0 : 1);

const fileName = (name: string, { fifo }: QueueDefinition): string => `${name}${fifo ? '.fifo' : ''}`;

function attributesOf(prefix: string, { fifo, visibilitySeconds, maxReceives, deadLetters }: QueueDefinition) {
  const deadLetterTargetArn = `arn:aws:sqs:us-east-1:${ACCOUNT}:${prefix}${deadLetters}${fifo ? '.fifo' : ''}`;
  return {
    VisibilityTimeout: String(visibilitySeconds),
    ...(fifo && { FifoQueue: 'true' }),
    ...(deadLetters && { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: maxReceives }) }),
  };
}
