import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { checkCount } from '../../domain/ports/rules/table-limits.ts';
import type { Count, Key } from '../../domain/ports/table.ts';
import { keyAttributes } from './attribute-values.ts';
import { conditionFailure, type DynamoStore } from './dynamo-store.ts';

/** Implements `Table.count` by one conditional update, or by one read. */
export async function countIn(store: DynamoStore, counter: Key, count: Count): Promise<number | undefined> {
  checkCount(counter, count);
  const { by, atMost = Infinity } = count;
  if (by === 0) return readCount(store, counter);
  return by > atMost ? undefined : addCount(store, counter, count);
}

async function readCount({ client, TableName, requestSoon }: DynamoStore, counter: Key): Promise<number> {
  const command = new GetItemCommand({ TableName, Key: keyAttributes(counter), ConsistentRead: true });
  const { Item: found } = await requestSoon((abortSignal) => client.send(command, { abortSignal }));
  return Number(found?.n?.N ?? 0);
}

async function addCount(
  { client, TableName, requestSoon }: DynamoStore,
  counter: Key,
  { by, atMost, expiresAt }: Count,
): Promise<number | undefined> {
  const command = new UpdateItemCommand({
    TableName,
    Key: keyAttributes(counter),
    UpdateExpression: 'SET expiresAt = :expiresAt ADD n :by',
    ...(atMost !== undefined && { ConditionExpression: 'attribute_not_exists(n) OR n <= :most' }),
    ExpressionAttributeValues: {
      ':expiresAt': { N: String(expiresAt) },
      ':by': { N: String(by) },
      ...(atMost !== undefined && { ':most': { N: String(atMost - by) } }),
    },
    ReturnValues: 'UPDATED_NEW',
  });
  const send = async (abortSignal: AbortSignal): Promise<number | undefined> => {
    try {
      const { Attributes } = await client.send(command, { abortSignal });
      return Number(Attributes?.n?.N);
    } catch (error) {
      if (conditionFailure(error)) return undefined;
      throw error;
    }
  };
  return requestSoon(send, { repeatable: false });
}
