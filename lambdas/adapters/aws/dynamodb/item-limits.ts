import type { Change, Item } from '../../../core/ports/table.ts';
import {
  checkFieldChanges,
  checkItem,
  checkItemBytes,
  checkKey,
  itemBytes,
  keyOf,
} from '../../port-rules/table-limits.ts';
import type { Attributes } from './attribute-values.ts';

/** The bytes of an item as JSON, which has hardly fewer than DynamoDB counts. Throws a RangeError for an item that `Table` does not take. */
export function checkedBytes(item: Item): number {
  checkItem(item);
  const { pk, sk, expiresAt, ...fields } = item;
  const bytes = itemBytes({ pk, sk }, JSON.stringify(fields));
  checkItemBytes(bytes);
  return bytes;
}

/** The bytes that a change brings. Throws a RangeError for one that `Table` does not take. */
export function checkChange(change: Change): number {
  if ('put' in change) return checkedBytes(change.put);
  checkKey(keyOf(change));
  if (!('update' in change)) return 0;
  checkFieldChanges(change);
  return checkedBytes({ ...change.set, ...change.add, ...change.update });
}

/** Whether there is no item, or one whose life has ended. */
export function isGone(attributes: Attributes | undefined, now: number): boolean {
  const expiresAt = attributes?.expiresAt?.N;
  return attributes === undefined || (expiresAt !== undefined && Number(expiresAt) <= now);
}

/** DynamoDB's refusal of an item that an update made too large is the RangeError that `Table` promises. */
export function asLimit(error: unknown): unknown {
  const isSize = error instanceof Error && /item size/i.test(error.message);
  return isSize ? new RangeError(error.message, { cause: error }) : error;
}
