import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type ReceiveMessageResult,
  SendMessageCommand,
  SQSClient,
  SQSServiceException,
} from '@aws-sdk/client-sqs';
import type { Queue, ReceivedMessage } from '../../../core/ports/queue.ts';
import { type QueueDefinition, queues } from '../../../messages.ts';
import { checkOutgoing, checkReceive, checkRelease } from '../../port-rules/queue-limits.ts';
import { clientSettings } from '../client-settings.ts';
import { type Ask, asker, type ServiceOptions } from '../retrying-client.ts';

const definitions: ReadonlyMap<string, QueueDefinition> = new Map(Object.entries(queues));

/**
 * `Queue` over SQS. The URL of each queue is the prefix, its name, and `.fifo` if it is one; visibility time-out, receives and
 * dead letters are settings of the queue, made from `messages.ts`.
 */
export function sqsQueue(urlPrefix: string, options: Omit<ServiceOptions, 'url'> = {}): Queue {
  const ask = asker('SQS', options);
  const client = new SQSClient(clientSettings(new URL(urlPrefix).origin));
  const urlOf = (name: string) => `${urlPrefix}${name}${definitionOf(name).fifo ? '.fifo' : ''}`;
  return {
    async send(name, message) {
      checkOutgoing(name, definitionOf(name).fifo, message);
      const when =
        'group' in message
          ? { MessageGroupId: message.group, MessageDeduplicationId: message.deduplicationId }
          : { DelaySeconds: message.delaySeconds };
      const command = new SendMessageCommand({ QueueUrl: urlOf(name), MessageBody: message.body, ...when });
      await ask((abortSignal) => client.send(command, { abortSignal }));
    },

    async receive(name, { max, waitSeconds }) {
      checkReceive(max, waitSeconds);
      const command = new ReceiveMessageCommand({
        QueueUrl: urlOf(name),
        MaxNumberOfMessages: max,
        WaitTimeSeconds: Math.ceil(waitSeconds),
        MessageSystemAttributeNames: ['ApproximateReceiveCount'],
      });
      const waitMs = waitSeconds * 1000;
      return deliveriesOf(await ask((abortSignal) => client.send(command, { abortSignal }), { waitMs }));
    },

    async acknowledge(name, receipt) {
      const command = new DeleteMessageCommand({ QueueUrl: urlOf(name), ReceiptHandle: receipt });
      await unlessOvertaken(ask, (abortSignal) => client.send(command, { abortSignal }));
    },

    async release(name, receipt, delaySeconds) {
      checkRelease(delaySeconds);
      const VisibilityTimeout = Math.ceil(delaySeconds);
      const command = new ChangeMessageVisibilityCommand({
        QueueUrl: urlOf(name),
        ReceiptHandle: receipt,
        VisibilityTimeout,
      });
      await unlessOvertaken(ask, (abortSignal) => client.send(command, { abortSignal }));
    },
  };
}

function deliveriesOf({ Messages = [] }: ReceiveMessageResult): readonly ReceivedMessage[] {
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
  if (!(error instanceof SQSServiceException)) return false;
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
