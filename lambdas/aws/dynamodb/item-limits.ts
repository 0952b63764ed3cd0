import {
  checkFieldChanges,
  checkItem,
  checkItemBytes,
  checkKey,
  itemBytes,
  keyOf,
} from '../../domain/ports/rules/table-limits.ts';
import type { Change, Item } from '../../domain/ports/table.ts';
import type { Attributes } from './attribute-values.ts';

/** Returns the item's bytes as JSON, close to DynamoDB's count. Throws a RangeError beyond the limits of `Table`. */
export function checkedBytes(item: Item): number {
  checkItem(item);
  const { pk, sk, expiresAt, ...fields } = item;
  const bytes = itemBytes({ pk, sk }, JSON.stringify(fields));
  checkItemBytes(bytes);
  return bytes;
}

/** Returns the bytes that a change writes. Throws a RangeError for a change beyond the limits of `Table`. */
export function checkChange(change: Change): number {
  if ('put' in change) return checkedBytes(change.put);
  checkKey(keyOf(change));
  if (!('update' in change)) return 0;
  checkFieldChanges(change);
  return checkedBytes({ ...change.set, ...change.add, ...change.update });
}

export function isMissing(attributes: Attributes | undefined, now: number): boolean {
  const expiresAt = attributes?.expiresAt?.N;
  return attributes === undefined || (expiresAt !== undefined && Number(expiresAt) <= now);
}

/** Turns DynamoDB's error for an item that an update made too large into the RangeError that `Table` promises. */
export function asRangeError(error: unknown): unknown {
  const isSize = error instanceof Error && /item size/i.test(error.message);
  return isSize ? new RangeError(error.message, { cause: error }) : error;
}
