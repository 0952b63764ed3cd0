import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Aws, Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type QueueDefinition, type QueueName, queues } from '../lambdas/messages.ts';
import type { ServiceFunction } from './service-function.ts';

/** Dead-letter queues come first: others refer to them. */
export const queueDefinitions = (Object.entries(queues) as [QueueName, QueueDefinition][]).toSorted(
  ([, one], [, other]) => Number(one.deadLetters !== undefined) - Number(other.deadLetters !== undefined),
);

const ONE_GROUP_AT_A_TIME = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};

/** The queues of `messages.ts`, each with its dead letters. */
export class Messaging extends Construct {
  readonly #prefix: string;
  readonly #queues = new Map<QueueName, Queue>();

  constructor(scope: Construct, id: string, { queuePrefix }: { readonly queuePrefix: string }) {
    super(scope, id);
    this.#prefix = queuePrefix;
    for (const [name, definition] of queueDefinitions) this.#queues.set(name, this.#makeQueue(name, definition));
  }

  #makeQueue(name: QueueName, definition: QueueDefinition): Queue {
    const { fifo, visibilitySeconds, maxReceives, deadLetters } = definition;
    return new Queue(this, name, {
      queueName: `${this.#prefix}${name}${fifo ? '.fifo' : ''}`,
      ...(fifo && ONE_GROUP_AT_A_TIME),
      visibilityTimeout: Duration.seconds(visibilitySeconds),
      retentionPeriod: Duration.days(14),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      ...(deadLetters !== undefined && {
        deadLetterQueue: { queue: this.queue(deadLetters as QueueName), maxReceiveCount: maxReceives },
      }),
    });
  }

  queue(name: QueueName): Queue {
    const queue = this.#queues.get(name);
    if (!queue) throw new Error(`no queue ${name} was made yet: dead letters of dead letters have no place`);
    return queue;
  }

  /** To send to any queue that is no dead-letter queue: which of them the code does not say by its imports. */
  grantSend(fn: ServiceFunction): void {
    const open = queueDefinitions
      .filter(([, { deadLetters }]) => deadLetters !== undefined)
      .map(([name]) => this.queue(name));
    fn.allow(['sqs:SendMessage'], ...open.map(({ queueArn }) => queueArn));
    fn.setVariables({
      QUEUE_URL_PREFIX: `https://sqs.${Aws.REGION}.${Aws.URL_SUFFIX}/${Aws.ACCOUNT_ID}/${this.#prefix}`,
    });
  }
}
