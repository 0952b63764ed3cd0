import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type ReceiveMessageResult,
  SendMessageCommand,
  SQSClient,
  SQSServiceException,
} from '@aws-sdk/client-sqs';
import type { Queue, ReceivedMessage } from '../../domain/ports/queue.ts';
import { checkMessage, checkReceive, checkRelease } from '../../domain/ports/rules/queue-limits.ts';
import { type QueueDefinition, queues } from '../../messages.ts';
import { clientSettings } from '../client-settings.ts';
import { type RetryingClient, retryingClient, type ServiceOptions } from '../retrying-client.ts';

const definitions: ReadonlyMap<string, QueueDefinition> = new Map(Object.entries(queues));

/**
 * Returns a `Queue` on SQS. A queue's URL is the prefix, its name, and `.fifo` for a FIFO queue. Visibility timeout,
 * receive count and dead-letter queue are settings of the queue itself, which the stack creates from `messages.ts`.
 */
export function sqsQueue(urlPrefix: string, options: Omit<ServiceOptions, 'url'> = {}): Queue {
  const request = retryingClient('SQS', options);
  const client = new SQSClient(clientSettings(new URL(urlPrefix).origin));
  const urlOf = (name: string) => `${urlPrefix}${name}${definitionOf(name).fifo ? '.fifo' : ''}`;
  return {
    async send(name, message) {
      checkMessage(name, definitionOf(name).fifo, message);
      const when =
        'group' in message
          ? { MessageGroupId: message.group, MessageDeduplicationId: message.deduplicationId }
          : { DelaySeconds: message.delaySeconds };
      const command = new SendMessageCommand({ QueueUrl: urlOf(name), MessageBody: message.body, ...when });
      await request((abortSignal) => client.send(command, { abortSignal }));
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
      return receivedMessages(await request((abortSignal) => client.send(command, { abortSignal }), { waitMs }));
    },

    async acknowledge(name, receipt) {
      const command = new DeleteMessageCommand({ QueueUrl: urlOf(name), ReceiptHandle: receipt });
      await ignoringStaleReceipt(request, (abortSignal) => client.send(command, { abortSignal }));
    },

    async release(name, receipt, delaySeconds) {
      checkRelease(delaySeconds);
      const VisibilityTimeout = Math.ceil(delaySeconds);
      const command = new ChangeMessageVisibilityCommand({
        QueueUrl: urlOf(name),
        ReceiptHandle: receipt,
        VisibilityTimeout,
      });
      await ignoringStaleReceipt(request, (abortSignal) => client.send(command, { abortSignal }));
    },
  };
}

function receivedMessages({ Messages = [] }: ReceiveMessageResult): readonly ReceivedMessage[] {
  return Messages.map(({ Body = '', ReceiptHandle = '', Attributes }) => ({
    body: Body,
    receipt: ReceiptHandle,
    receiveCount: Number(Attributes?.ApproximateReceiveCount ?? 1),
  }));
}

async function ignoringStaleReceipt(
  request: RetryingClient,
  send: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  await request(async (signal) => {
    try {
      await send(signal);
    } catch (error) {
      if (!isStaleReceipt(error)) throw error;
    }
  });
}

/** Recognises SQS's errors for a receipt that expired or was replaced, or whose message was deleted. */
function isStaleReceipt(error: unknown): boolean {
  if (!(error instanceof SQSServiceException)) return false;
  const { name, message } = error;
  const isExpired = name.startsWith('InvalidParameterValue') && message.includes('ReceiptHandle');
  return isExpired || name === 'ReceiptHandleIsInvalid' || name === 'MessageNotInflight';
}

function definitionOf(name: string): QueueDefinition {
  const definition = definitions.get(name);
  if (definition === undefined) throw new RangeError(`messages.ts defines no queue named ${name}`);
  return definition;
}
