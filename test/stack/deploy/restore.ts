import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  paginateScan,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3';
import type { Attributes } from '../../../lambdas/aws/dynamodb/attribute-values.ts';

/** DynamoDB's limit for a batch. */
const ITEMS_PER_BATCH = 25;

/** Plays `restore-table-to-point-in-time`, which the engine does not have: copies the table as it is now. */
export async function copyTable(client: DynamoDBClient, source: string, target: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: source }));
  const { AttributeDefinitions, KeySchema } = Table ?? {};
  const input = { TableName: target, AttributeDefinitions, KeySchema, BillingMode: 'PAY_PER_REQUEST' as const };
  await client.send(new CreateTableCommand(input));
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName: target });
  const puts = (await itemsOf(client, source)).map((Item) => ({ PutRequest: { Item } }));
  await writeAll(client, target, puts);
}

/** Step 3 of "Restore the data" in docs/operations.md, for all items: the table becomes as the copy is. */
export async function copyBack(client: DynamoDBClient, copy: string, table: string): Promise<void> {
  const kept = await itemsOf(client, copy);
  const keyOf = ({ pk, sk }: Attributes) => JSON.stringify([pk?.S, sk?.S]);
  const keys = new Set(kept.map(keyOf));
  const newer = (await itemsOf(client, table)).filter((item) => !keys.has(keyOf(item)));
  await writeAll(client, table, [
    ...newer.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } as Record<string, { S: string }> } })),
    ...kept.map((Item) => ({ PutRequest: { Item } })),
  ]);
}

/** Step 4: brings back the objects that have been removed, by removing the markers of their removal. */
export async function bringBackObjects(client: S3Client, Bucket: string, Prefix: string): Promise<number> {
  const { DeleteMarkers = [], IsTruncated } = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix }));
  if (IsTruncated) throw new Error('The drill removes a thousand objects at most');
  const markers = DeleteMarkers.filter(({ IsLatest }) => IsLatest);
  for (const { Key, VersionId } of markers) await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
  return markers.length;
}

async function itemsOf(client: DynamoDBClient, TableName: string): Promise<readonly Attributes[]> {
  const items: Attributes[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) items.push(...Items);
  return items;
}

type Write =
  | { PutRequest: { Item: Record<string, never> } }
  | { DeleteRequest: { Key: Record<string, { S: string }> } };

async function writeAll(client: DynamoDBClient, table: string, writes: readonly object[]): Promise<void> {
  for (let start = 0; start < writes.length; start += ITEMS_PER_BATCH) {
    const batch = writes.slice(start, start + ITEMS_PER_BATCH) as Write[];
    const { UnprocessedItems = {} } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: batch } }),
    );
    if (Object.keys(UnprocessedItems).length > 0) throw new Error(`${table} did not take all items`);
  }
}
