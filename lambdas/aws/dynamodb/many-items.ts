import { BatchGetItemCommand, BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { batches } from '../../domain/batches.ts';
import { checkKey } from '../../domain/ports/rules/table-limits.ts';
import type { Item, Key } from '../../domain/ports/table.ts';
import { type Attributes, attributesOf, itemOf, keyAttributes } from './attribute-values.ts';
import { type DynamoStore, NotExecuted } from './dynamo-store.ts';
import { checkedBytes, isMissing } from './item-limits.ts';

const KEYS_PER_GET = 100;
const ITEMS_PER_WRITE = 25;
const PARALLEL_BATCHES = 4;

const nameOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);

/** Removes repeated keys, which DynamoDB rejects in one request. The last item of a key wins. */
const distinct = <T extends Key>(items: readonly T[]): readonly T[] => [
  ...new Map(items.map((item) => [nameOf(item), item])).values(),
];

export async function getItems(store: DynamoStore, keys: readonly Key[]): Promise<readonly (Item | undefined)[]> {
  keys.forEach(checkKey);
  const found = new Map<string, Item>();
  await eachBatch(distinct(keys).map(keyAttributes), KEYS_PER_GET, async (batch) => {
    let remaining = batch;
    while (remaining.length > 0) {
      const { items, unread } = await getSome(store, remaining);
      for (const item of items) found.set(nameOf(item), item);
      remaining = unread;
    }
  });
  return keys.map((key) => found.get(nameOf(key)));
}

/** Reads at least one of the keys. DynamoDB may answer for some of them only. */
async function getSome({ client, TableName, request, now }: DynamoStore, keys: readonly Attributes[]) {
  const RequestItems = { [TableName]: { Keys: [...keys], ConsistentRead: true } };
  const command = new BatchGetItemCommand({ RequestItems });
  return request(async (abortSignal) => {
    const { Responses, UnprocessedKeys } = await client.send(command, { abortSignal });
    const unread = UnprocessedKeys?.[TableName]?.Keys ?? [];
    if (unread.length === keys.length) throw new NotExecuted('DynamoDB read none of the items');
    const items = (Responses?.[TableName] ?? []).filter((attributes) => !isMissing(attributes, now())).map(itemOf);
    return { items, unread };
  });
}

export async function putItems(store: DynamoStore, items: readonly Item[]): Promise<void> {
  for (const item of items) checkedBytes(item);
  await writeMany(
    store,
    distinct(items).map((item) => ({ PutRequest: { Item: attributesOf(item) } })),
  );
}

export async function removeItems(store: DynamoStore, keys: readonly Key[]): Promise<void> {
  keys.forEach(checkKey);
  await writeMany(
    store,
    distinct(keys).map((key) => ({ DeleteRequest: { Key: keyAttributes(key) } })),
  );
}

function writeMany(store: DynamoStore, requests: readonly WriteRequest[]): Promise<void> {
  return eachBatch(requests, ITEMS_PER_WRITE, (batch) => writeBatch(store, batch));
}

async function eachBatch<T>(list: readonly T[], size: number, work: (batch: readonly T[]) => Promise<void>) {
  for (const some of batches(batches(list, size), PARALLEL_BATCHES)) await Promise.all(some.map(work));
}

async function writeBatch({ client, TableName, request }: DynamoStore, batch: readonly WriteRequest[]): Promise<void> {
  let remaining = batch;
  while (remaining.length > 0) {
    const RequestItems = { [TableName]: [...remaining] };
    const command = new BatchWriteItemCommand({ RequestItems });
    remaining = await request(async (abortSignal) => {
      const { UnprocessedItems } = await client.send(command, { abortSignal });
      const unwritten = UnprocessedItems?.[TableName] ?? [];
      if (unwritten.length === remaining.length) throw new NotExecuted('DynamoDB wrote none of the items');
      return unwritten;
    });
  }
}
