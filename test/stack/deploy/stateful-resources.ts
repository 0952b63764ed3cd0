import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DeployedResource, DeployedTemplate } from '../template/deployed-template.ts';

export type EngineUrls = {
  readonly opensearch: string;
  readonly elasticmq: string;
  readonly s3mock: string;
  readonly dynoxide: string;
};

const CREDENTIALS = { credentials: { accessKeyId: 'operator', secretAccessKey: 'tests' }, region: 'eu-west-1' };

/** Clients of the engines themselves, for what an operator or a service of AWS does. */
export const engineClients = (urls: EngineUrls) => ({
  table: new DynamoDBClient({ ...CREDENTIALS, endpoint: urls.dynoxide }),
  queues: new SQSClient({ ...CREDENTIALS, endpoint: urls.elasticmq }),
  buckets: new S3Client({ ...CREDENTIALS, endpoint: urls.s3mock, forcePathStyle: true }),
});
export type EngineClients = ReturnType<typeof engineClients>;

/** Resources that hold data. An update of the stack may not change them here. */
const STATEFUL = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SQS::Queue'];

/** Makes the tables, buckets and queues as the template describes them. */
export async function createStatefulResources(template: DeployedTemplate, clients: EngineClients): Promise<void> {
  await Promise.all([
    ...template.ofType('AWS::DynamoDB::Table').map((each) => createTable(each, clients.table)),
    ...template.ofType('AWS::S3::Bucket').map((each) => createBucket(each, clients.buckets)),
    createQueues(template.ofType('AWS::SQS::Queue'), clients.queues),
  ]);
}

/** Fails if an update would change or replace what holds data. */
export function assertSameState(before: DeployedTemplate, after: DeployedTemplate): void {
  const stateOf = (template: DeployedTemplate) =>
    JSON.stringify(STATEFUL.flatMap((type) => template.ofType(type).map(({ id, properties }) => [id, properties])));
  if (stateOf(before) !== stateOf(after)) throw new Error('The update changes tables, buckets or queues');
}

async function createTable({ properties }: DeployedResource, client: DynamoDBClient): Promise<void> {
  const { TableName, AttributeDefinitions, KeySchema, BillingMode } = properties as unknown as CreateTableCommandInput;
  await client.send(new CreateTableCommand({ TableName, AttributeDefinitions, KeySchema, BillingMode }));
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName });
}

async function createBucket({ ref: Bucket, properties }: DeployedResource, client: S3Client): Promise<void> {
  await client.send(new CreateBucketCommand({ Bucket }));
  const { VersioningConfiguration } = properties as { VersioningConfiguration?: { Status: 'Enabled' } };
  if (VersioningConfiguration) await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
}

type QueueProperties = {
  readonly QueueName: string;
  readonly FifoQueue?: boolean;
  readonly VisibilityTimeout: number;
  readonly RedrivePolicy?: { readonly deadLetterTargetArn: string; readonly maxReceiveCount: number };
};

/** Creates queues without dead letters first, because they are the dead letters of others. */
async function createQueues(queues: readonly DeployedResource[], client: SQSClient): Promise<void> {
  const described = queues.map(({ properties }) => properties as QueueProperties);
  const ordered = described.toSorted((one, other) => Number(!!one.RedrivePolicy) - Number(!!other.RedrivePolicy));
  for (const { QueueName, FifoQueue, VisibilityTimeout, RedrivePolicy } of ordered) {
    const Attributes = {
      VisibilityTimeout: String(VisibilityTimeout),
      ...(FifoQueue && { FifoQueue: 'true' }),
      ...(RedrivePolicy && { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
    };
    await client.send(new CreateQueueCommand({ QueueName, Attributes }));
  }
}
