import { DeleteMessageCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import type { AccountClock } from '../account-clock.ts';
import type { SqsBackend } from '../aws/sqs-backend.ts';
import type { Access } from '../iam/access.ts';
import type { Functions } from '../lambda/functions.ts';
import type { DeployedTemplate } from '../template/deployed-template.ts';
import { REGION } from '../template/physical-names.ts';

/** A batch is handed over message by message, which Lambda may do too. */
const Mapping = z.strictObject({
  BatchSize: z.number().min(1),
  MaximumBatchingWindowInSeconds: z.number().optional(),
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  FunctionResponseTypes: z.tuple([z.literal('ReportBatchItemFailures')]),
  ScalingConfig: z.strictObject({ MaximumConcurrency: z.number().min(2) }),
});
type Mapping = z.infer<typeof Mapping>;

export type PollerParts = {
  readonly client: SQSClient;
  readonly access: Access;
  readonly functions: Functions;
  readonly clock: AccountClock;
  readonly sqs: SqsBackend;
};

const MAX_POLL_SECONDS = 10;
/** The permissions that Lambda asks of a function's role for its queue. */
const ACTIONS = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'] as const;

/** Lambda's event source mappings: hand messages of queues to their functions. */
export class QueuePoller {
  readonly #parts: PollerParts;
  readonly #stop = new AbortController();
  #template: DeployedTemplate | undefined;
  #loops: readonly Promise<void>[] = [];

  constructor(parts: PollerParts) {
    this.#parts = parts;
  }

  /** The first call starts the mappings; a later one replaces them by those of another version with the same queues. */
  deploy(template: DeployedTemplate): void {
    const mappings = template
      .ofType('AWS::Lambda::EventSourceMapping')
      .map(({ properties }) => Mapping.parse(properties));
    const isFirst = this.#template === undefined;
    this.#template = template;
    if (isFirst) this.#loops = mappings.map((mapping) => this.#poll(mapping));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
  }

  async #poll(mapping: Mapping): Promise<void> {
    const { functions, access, client } = this.#parts;
    const { role, url, functionArn } = this.#resourcesOf(mapping);
    const asRole = (action: string) => {
      if (!access.allows({ role }, { action: `sqs:${action}`, resource: mapping.EventSourceArn, context: {} }))
        throw new Error(`${role} may not ${action} from ${url}`);
    };
    for (const action of ACTIONS) asRole(action);
    const lanes = Array.from({ length: mapping.ScalingConfig.MaximumConcurrency }, async () => {
      while (!this.#stop.signal.aborted) {
        const message = await this.#receive(url);
        if (!message) continue;
        const deliver = () =>
          this.#deliver(
            message,
            mapping,
            (event) => functions.invoke(functionArn, event),
            () => client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message.ReceiptHandle })),
          );
        const due = this.#parts.sqs.dueTime(message.MessageId ?? '');
        if (due <= this.#parts.clock.now()) await deliver();
        else void this.#parts.clock.until(due, this.#stop.signal).then(deliver); // a delayed message blocks no other
      }
    });
    await Promise.all(lanes);
  }

  #resourcesOf({ EventSourceArn, FunctionName }: Mapping) {
    const template = this.#template;
    const fn = template?.ofType('AWS::Lambda::Function').find(({ ref }) => ref === FunctionName);
    const queue = template?.ofType('AWS::SQS::Queue').find(({ attributes }) => attributes.Arn === EventSourceArn);
    if (!fn || !queue) throw new Error(`The mapping of ${FunctionName} names nothing of the template`);
    return { role: String(fn.properties.Role), url: queue.ref, functionArn: fn.attributes.Arn ?? '' };
  }

  async #receive(QueueUrl: string): Promise<Message | undefined> {
    const command = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 1,
      WaitTimeSeconds: MAX_POLL_SECONDS,
      MessageSystemAttributeNames: ['All'],
    });
    const abortSignal = this.#stop.signal;
    const { Messages = [] } = await this.#parts.client.send(command, { abortSignal }).catch((error: unknown) => {
      if (abortSignal.aborted) return { Messages: [] };
      throw error;
    });
    return Messages[0];
  }

  /** A message that fails stays in flight and is received again after its visibility time-out. */
  async #deliver(
    message: Message,
    { EventSourceArn }: Mapping,
    invoke: (event: SQSEvent) => Promise<unknown>,
    remove: () => Promise<unknown>,
  ): Promise<void> {
    if (this.#stop.signal.aborted) return;
    try {
      const result = (await invoke(sqsEvent(message, EventSourceArn))) as SQSBatchResponse | null;
      const failed = result?.batchItemFailures.some(({ itemIdentifier }) => itemIdentifier === message.MessageId);
      if (!failed) await remove();
    } catch {
      // `Functions` remembers the error.
    }
  }
}

const sqsEvent = ({ MessageId = '', ReceiptHandle = '', Body = '', Attributes }: Message, arn: string): SQSEvent => ({
  Records: [
    {
      messageId: MessageId,
      receiptHandle: ReceiptHandle,
      body: Body,
      md5OfBody: '',
      messageAttributes: {},
      attributes: Attributes as unknown as SQSEvent['Records'][number]['attributes'],
      eventSource: 'aws:sqs',
      eventSourceARN: arn,
      awsRegion: REGION,
    },
  ],
});
