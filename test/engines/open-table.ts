import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { setAwsEnvironment } from './aws-environment.ts';
import { engines } from './engines.ts';

/** Creates a table on the DynamoDB at `DYNAMODB_URL` or on a new dynoxide; sets the environment as `openQueues`. */
export async function openTable() {
  const engine = await dynamoDb();
  const TableName = `test-${randomUUID()}`;
  setAwsEnvironment({ DYNAMODB_URL: engine.url, TABLE_NAME: TableName });
  const client = new DynamoDBClient({ endpoint: engine.url });
  const keys = [
    { name: 'pk', KeyType: 'HASH' },
    { name: 'sk', KeyType: 'RANGE' },
  ] as const;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map(({ name }) => ({ AttributeName: name, AttributeType: 'S' })),
      KeySchema: keys.map(({ name, KeyType }) => ({ AttributeName: name, KeyType })),
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName });
  return {
    name: TableName,
    url: engine.url,
    async close() {
      await client.send(new DeleteTableCommand({ TableName }));
      await engine.stop();
    },
  };
}

async function dynamoDb(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const url = process.env.DYNAMODB_URL;
  return url ? { url, stop: async () => {} } : engines.dynoxide.start();
}
