import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { checkKey } from '../../domain/ports/rules/table-limits.ts';
import type {
  Change,
  Condition,
  Count,
  FieldChanges,
  Item,
  Key,
  Listing,
  Range,
  Table,
} from '../../domain/ports/table.ts';
import type { ServiceOptions } from '../retrying-client.ts';
import { itemOf, keyAttributes } from './attribute-values.ts';
import { countIn } from './count.ts';
import { type DynamoStore, dynamoStore } from './dynamo-store.ts';
import { isMissing } from './item-limits.ts';
import { getItems, putItems, removeItems } from './many-items.ts';
import { queryItems } from './query-items.ts';
import { updateItem } from './update-item.ts';
import { writeAll } from './write-all.ts';

/**
 * Returns a `Table` on a DynamoDB table with partition key `pk`, sort key `sk` and time-to-live attribute `expiresAt`.
 */
export function dynamoTable(tableName: string, options: ServiceOptions = {}): Table {
  const store = dynamoStore(tableName, options);
  return {
    async get<T extends object = Item>(key: Key): Promise<(T & Item) | undefined> {
      return (await getItem(store, key)) as (T & Item) | undefined;
    },

    async getMany<T extends object = Item>(keys: readonly Key[]): Promise<readonly ((T & Item) | undefined)[]> {
      return (await getItems(store, keys)) as readonly ((T & Item) | undefined)[];
    },

    async query<T extends object = Item>(pk: string, range: Range): Promise<Listing<T & Item>> {
      return (await queryItems(store, pk, range)) as Listing<T & Item>;
    },

    async update<T extends object = Item>(
      key: Key,
      changes: FieldChanges & { readonly when?: Condition },
    ): Promise<(T & Item) | undefined> {
      return (await updateItem(store, key, changes)) as (T & Item) | undefined;
    },

    write: async (changes: readonly Change[]) => writeAll(store, changes),
    putMany: async (items: readonly Item[]) => putItems(store, items),
    removeMany: async (keys: readonly Key[]) => removeItems(store, keys),
    count: async (counter: Key, count: Count) => countIn(store, counter, count),
  };
}

async function getItem({ client, TableName, request, now }: DynamoStore, key: Key): Promise<Item | undefined> {
  checkKey(key);
  const command = new GetItemCommand({ TableName, Key: keyAttributes(key), ConsistentRead: true });
  const { Item: found } = await request((abortSignal) => client.send(command, { abortSignal }));
  return found === undefined || isMissing(found, now()) ? undefined : itemOf(found);
}
