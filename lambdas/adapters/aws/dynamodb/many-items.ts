import { BatchGetItemCommand, BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import type { Item, Key } from '../../../core/ports/table.ts';
import { batches } from '../../batches.ts';
import { checkKey } from '../../port-rules/table-limits.ts';
import { type Attributes, attributesOf, itemOf, keyAttributes } from './attribute-values.ts';
import { type DynamoStore, Refusal } from './dynamo-store.ts';
import { checkedBytes, isGone } from './item-limits.ts';

const KEYS_PER_GET = 100;
const ITEMS_PER_WRITE = 25;
const BATCHES_AT_ONCE = 4;

const nameOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);

/** DynamoDB refuses a key that comes twice in one request; the last one counts. */
const distinct = <T extends Key>(items: readonly T[]): readonly T[] => [
  ...new Map(items.map((item) => [nameOf(item), item])).values(),
];

/** As `Table.getMany`. */
export async function getItems(store: DynamoStore, keys: readonly Key[]): Promise<readonly (Item | undefined)[]> {
  keys.forEach(checkKey);
  const found = new Map<string, Item>();
  await eachBatch(distinct(keys).map(keyAttributes), KEYS_PER_GET, async (batch) => {
    let left = batch;
    while (left.length > 0) {
      const { items, unread } = await getSome(store, left);
      for (const item of items) found.set(nameOf(item), item);
      left = unread;
    }
  });
  return keys.map((key) => found.get(nameOf(key)));
}

/** Some of the items, at least one of the keys' answers. */
async function getSome({ client, TableName, ask, now }: DynamoStore, keys: readonly Attributes[]) {
  const RequestItems = { [TableName]: { Keys: [...keys], ConsistentRead: true } };
  const command = new BatchGetItemCommand({ RequestItems });
  return ask(async (abortSignal) => {
    const { Responses, UnprocessedKeys } = await client.send(command, { abortSignal });
    const unread = UnprocessedKeys?.[TableName]?.Keys ?? [];
    if (unread.length === keys.length) throw new Refusal('None of the items could be read for now');
    const items = (Responses?.[TableName] ?? []).filter((attributes) => !isGone(attributes, now())).map(itemOf);
    return { items, unread };
  });
}

/** As `Table.putMany`. */
export async function putItems(store: DynamoStore, items: readonly Item[]): Promise<void> {
  for (const item of items) checkedBytes(item);
  await writeMany(
    store,
    distinct(items).map((item) => ({ PutRequest: { Item: attributesOf(item) } })),
  );
}

/** As `Table.removeMany`. */
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
  for (const some of batches(batches(list, size), BATCHES_AT_ONCE)) await Promise.all(some.map(work));
}

async function writeBatch({ client, TableName, ask }: DynamoStore, batch: readonly WriteRequest[]): Promise<void> {
  let left = batch;
  while (left.length > 0) {
    const RequestItems = { [TableName]: [...left] };
    const command = new BatchWriteItemCommand({ RequestItems });
    left = await ask(async (abortSignal) => {
      const { UnprocessedItems } = await client.send(command, { abortSignal });
      const unwritten = UnprocessedItems?.[TableName] ?? [];
      if (unwritten.length === left.length) throw new Refusal('None of the items could be written for now');
      return unwritten;
    });
  }
}
