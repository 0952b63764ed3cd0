import type { Change, Count, FieldChanges, Item, Key, Range } from '../table.ts';

/* The limits of `Table`, checked by every adapter. Exceeding one is a programming error: a RangeError. */

const MAX_CHANGES = 100;
const MAX_WRITE_BYTES = 4_000_000;
const MAX_ITEM_BYTES = 400_000;
const MAX_LISTING_ITEMS = 1_000;
const MAX_PK_BYTES = 2_048;
export const MAX_SK_BYTES = 1_024;

/** DynamoDB's Query ends a listing at about this size. */
export const MAX_LISTING_BYTES = 1_000_000;

export function checkKey({ pk, sk }: Key): void {
  checkBytes('A partition key', pk, MAX_PK_BYTES);
  checkBytes('A sort key', sk, MAX_SK_BYTES);
}

function checkBytes(what: string, text: string, max: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes < 1 || bytes > max) throw new RangeError(`${what} must have 1 to ${max} bytes, not ${bytes}`);
}

export function checkItem(item: Item): void {
  checkKey(item);
  const { expiresAt } = item;
  if (expiresAt !== undefined && !Number.isFinite(expiresAt))
    throw new RangeError('expiresAt must be a number of seconds');
}

/** Returns the bytes of an item. `json` holds its fields without key and `expiresAt`. */
export function itemBytes({ pk, sk }: Key, json: string): number {
  return Buffer.byteLength(pk) + Buffer.byteLength(sk) + Buffer.byteLength(json);
}

export function checkItemBytes(bytes: number): void {
  if (bytes > MAX_ITEM_BYTES) throw new RangeError(`An item may have at most ${MAX_ITEM_BYTES} bytes, not ${bytes}`);
}

export function checkFieldChanges({ set = {}, unset = [], add = {} }: FieldChanges): void {
  const fields = [...Object.keys(set), ...unset, ...Object.keys(add)];
  if (fields.includes('pk') || fields.includes('sk')) throw new RangeError('An update must not change the key');
  if (new Set(fields).size < fields.length) throw new RangeError('An update must change a field only once');
}

export function keyOf(change: Change): Key {
  if ('put' in change) return change.put;
  if ('update' in change) return change.update;
  return 'remove' in change ? change.remove : change.check;
}

export function checkChanges(changes: readonly Change[]): void {
  if (changes.length > MAX_CHANGES) {
    throw new RangeError(`A write may have at most ${MAX_CHANGES} changes, not ${changes.length}`);
  }
  const keys = new Set(changes.map(keyOf).map(({ pk, sk }) => JSON.stringify([pk, sk])));
  if (keys.size < changes.length) throw new RangeError('A write must change an item only once');
}

export function checkWriteBytes(bytes: number): void {
  if (bytes > MAX_WRITE_BYTES) throw new RangeError(`A write may have at most ${MAX_WRITE_BYTES} bytes, not ${bytes}`);
}

export function checkRange({ limit }: Range): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LISTING_ITEMS) {
    throw new RangeError(`The limit of a query must be 1 to ${MAX_LISTING_ITEMS}, not ${limit}`);
  }
}

export function checkCount(counter: Key, { by, atMost = 0, expiresAt }: Count): void {
  checkKey(counter);
  if (!Number.isSafeInteger(by) || by < 0 || Number.isNaN(atMost) || !Number.isFinite(expiresAt))
    throw new RangeError('A count must be a whole number from 0 with a time at which it expires');
}
