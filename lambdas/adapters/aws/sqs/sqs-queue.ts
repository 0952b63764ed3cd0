import type {
  ChangeMessageVisibilityRequest,
  DeleteMessageRequest,
  ReceiveMessageRequest,
  ReceiveMessageResult,
  SendMessageRequest,
  SendMessageResult,
} from '@aws-sdk/client-sqs';
import { type QueueDefinition, queues } from '../../../messages.ts';
import { checkOutgoing, checkReceive, checkRelease } from '../../port-rules/queue-limits.ts';
import type { Delivery, Queue } from '../../ports.ts';
import { type Ask, asker, type ServiceOptions } from '../asker.ts';
import { JsonServiceError, jsonClient } from '../json-client.ts';
import { needed } from '../needed.ts';

type SqsCalls = {
  readonly SendMessage: readonly [SendMessageRequest, SendMessageResult];
  readonly ReceiveMessage: readonly [ReceiveMessageRequest, ReceiveMessageResult];
  readonly DeleteMessage: readonly [DeleteMessageRequest, object];
  readonly ChangeMessageVisibility: readonly [ChangeMessageVisibilityRequest, object];
};

const definitions: ReadonlyMap<string, QueueDefinition> = new Map(Object.entries(queues));

/**
 * `Queue` over SQS. The URL of each queue is the prefix, its name, and `.fifo` if it is one; visibility time-out, receives and
 * dead letters are settings of the queue, made from `messages.ts`.
 */
export function sqsQueue(urlPrefix: string, options: Omit<ServiceOptions, 'url'> = {}): Queue {
  const ask = asker('SQS', options);
  const url = new URL(urlPrefix).origin;
  const call = jsonClient<SqsCalls>({ name: 'sqs', target: 'AmazonSQS', region: needed('AWS_REGION'), url });
  const urlOf = (name: string) => `${urlPrefix}${name}${definitionOf(name).fifo ? '.fifo' : ''}`;
  return {
    async send(name, message) {
      checkOutgoing(name, definitionOf(name).fifo, message);
      const when =
        'group' in message
          ? { MessageGroupId: message.group, MessageDeduplicationId: message.deduplicationId }
          : { DelaySeconds: message.delaySeconds };
      const input = { QueueUrl: urlOf(name), MessageBody: message.body, ...when };
      await ask((signal) => call('SendMessage', input, signal));
    },

    async receive(name, { max, waitSeconds }) {
      checkReceive(max, waitSeconds);
      const input: ReceiveMessageRequest = {
        QueueUrl: urlOf(name),
        MaxNumberOfMessages: max,
        WaitTimeSeconds: Math.ceil(waitSeconds),
        MessageSystemAttributeNames: ['ApproximateReceiveCount'],
      };
      const waitMs = waitSeconds * 1000;
      return deliveriesOf(await ask((signal) => call('ReceiveMessage', input, signal), { waitMs }));
    },

    async acknowledge(name, receipt) {
      const input = { QueueUrl: urlOf(name), ReceiptHandle: receipt };
      await unlessOvertaken(ask, (signal) => call('DeleteMessage', input, signal));
    },

    async release(name, receipt, delaySeconds) {
      checkRelease(delaySeconds);
      const input = { QueueUrl: urlOf(name), ReceiptHandle: receipt, VisibilityTimeout: Math.ceil(delaySeconds) };
      await unlessOvertaken(ask, (signal) => call('ChangeMessageVisibility', input, signal));
    },
  };
}

function deliveriesOf({ Messages = [] }: ReceiveMessageResult): readonly Delivery[] {
  return Messages.map(({ Body = '', ReceiptHandle = '', Attributes }) => ({
    body: Body,
    receipt: ReceiptHandle,
    receiveCount: Number(Attributes?.ApproximateReceiveCount ?? 1),
  }));
}

async function unlessOvertaken(ask: Ask, request: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  await ask(async (signal) => {
    try {
      await request(signal);
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  });
}

/** What SQS says of a receipt that a later one has overtaken, or whose message is done; for an expired one it has no name of its own. */
function isOvertaken(error: unknown): boolean {
  if (!(error instanceof JsonServiceError)) return false;
  const { name, message } = error;
  const isExpired = name.startsWith('InvalidParameterValue') && message.includes('ReceiptHandle');
  return isExpired || name === 'ReceiptHandleIsInvalid' || name === 'MessageNotInflight';
}

/** Throws for a name that is misspelt. */
function definitionOf(name: string): QueueDefinition {
  const definition = definitions.get(name);
  if (definition === undefined) throw new RangeError(`messages.ts has no queue ${name}`);
  return definition;
}
