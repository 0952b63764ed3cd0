import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Aws, Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type QueueDefinition, type QueueName, queues } from '../lambdas/messages.ts';
import type { ServiceFunction } from './service-function.ts';

/** The definitions with dead-letter queues first, because the other queues refer to them. */
export const queueDefinitions = (Object.entries(queues) as [QueueName, QueueDefinition][]).toSorted(
  ([, one], [, other]) => Number(one.deadLetters !== undefined) - Number(other.deadLetters !== undefined),
);

const ORDERED_BY_GROUP = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};

/** The queues of `messages.ts`. Each is encrypted, requires TLS, and has its dead-letter queue. */
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
      ...(fifo && ORDERED_BY_GROUP),
      visibilityTimeout: Duration.seconds(visibilitySeconds),
      retentionPeriod: Duration.days(14),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      ...(deadLetters !== undefined && {
        deadLetterQueue: { queue: this.queue(deadLetters), maxReceiveCount: maxReceives },
      }),
    });
  }

  queue(name: QueueName): Queue {
    const queue = this.#queues.get(name);
    if (!queue) throw new Error(`there is no queue ${name}: a dead-letter queue cannot have one of its own`);
    return queue;
  }

  grantSend(fn: ServiceFunction, targets: readonly QueueName[]): void {
    fn.allow(['sqs:SendMessage'], ...targets.map((name) => this.queue(name).queueArn));
    fn.setVariables({
      QUEUE_URL_PREFIX: `https://sqs.${Aws.REGION}.${Aws.URL_SUFFIX}/${Aws.ACCOUNT_ID}/${this.#prefix}`,
    });
  }
}
