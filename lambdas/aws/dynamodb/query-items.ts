import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { checkRange, MAX_SK_BYTES } from '../../domain/ports/rules/table-limits.ts';
import type { Item, Listing, Range } from '../../domain/ports/table.ts';
import { defined } from '../../text/defined.ts';
import { itemOf, keyAttributes } from './attribute-values.ts';
import type { DynamoStore } from './dynamo-store.ts';
import { Placeholders } from './placeholders.ts';

export async function queryItems(store: DynamoStore, pk: string, range: Range): Promise<Listing<Item>> {
  checkRange(range);
  const { limit, descending = false } = range;
  const start = startOf(range);
  if (start === 'nowhere') return { items: [] };
  const placeholders = new Placeholders();
  const command = new QueryCommand({
    TableName: store.TableName,
    ConsistentRead: true,
    KeyConditionExpression: inPartition(pk, range.prefix, placeholders),
    FilterExpression: `attribute_not_exists(expiresAt) OR expiresAt > ${placeholders.value(store.now())}`,
    ...placeholders.parameters(),
    ScanIndexForward: !descending,
    // One item more than wanted tells whether there is a next page.
    Limit: limit + 1,
    ...(start !== 'beginning' && { ExclusiveStartKey: keyAttributes({ pk, sk: start.after }) }),
  });
  const { Items = [], LastEvaluatedKey } = await store.request((abortSignal) =>
    store.client.send(command, { abortSignal }),
  );
  const items = Items.slice(0, limit).map(itemOf);
  const next = Items.length > limit ? items.at(-1)?.sk : LastEvaluatedKey?.sk?.S;
  return { items, ...defined({ next }) };
}

function inPartition(pk: string, prefix: string | undefined, placeholders: Placeholders): string {
  const partition = `pk = ${placeholders.value(pk)}`;
  return prefix ? `${partition} AND begins_with(sk, ${placeholders.value(prefix)})` : partition;
}

/**
 * Returns where the query starts. DynamoDB rejects a start key outside the prefix; the range is then either whole or
 * empty.
 */
function startOf({
  prefix = '',
  after,
  descending = false,
}: Range): 'beginning' | 'nowhere' | { readonly after: string } {
  if (Buffer.byteLength(prefix) > MAX_SK_BYTES) return 'nowhere'; // no key is that long
  if (after === undefined) return 'beginning';
  if (after.startsWith(prefix) && after !== '') return { after: cutToKeyLength(after) };
  const isBefore = Buffer.compare(Buffer.from(after), Buffer.from(prefix)) < 0 || after === '';
  return isBefore === descending ? 'nowhere' : 'beginning';
}

/** Returns the longest valid key before `after`, cut at a whole character. */
function cutToKeyLength(after: string): string {
  const bytes = Buffer.from(after);
  return bytes.length <= MAX_SK_BYTES
    ? after
    : bytes
        .subarray(0, MAX_SK_BYTES)
        .toString()
        .replace(/\ufffd+$/, '');
}
