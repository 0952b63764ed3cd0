import type { Change, FieldChanges, Item, Key, Range } from '../../core/ports/table.ts';

/* What `Table` documents, enforced on a laptop as in AWS: going beyond is a fault of the program, a RangeError. */

const MAX_CHANGES = 100;
const MAX_WRITE_BYTES = 4_000_000;
const MAX_ITEM_BYTES = 400_000;
const MAX_PAGE_ITEMS = 1_000;
const MAX_PK_BYTES = 2_048;
const MAX_SK_BYTES = 1_024;

/** As a page of DynamoDB. */
export const MAX_PAGE_BYTES = 1_000_000;

export function checkKey({ pk, sk }: Key): void {
  checkBytes('A partition key', pk, MAX_PK_BYTES);
  checkBytes('A sort key', sk, MAX_SK_BYTES);
}

function checkBytes(what: string, text: string, max: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes < 1 || bytes > max) throw new RangeError(`${what} has 1 to ${max} bytes, not ${bytes}`);
}

export function checkItem(item: Item): void {
  checkKey(item);
  const { expiresAt } = item;
  if (expiresAt !== undefined && !Number.isFinite(expiresAt)) throw new RangeError('expiresAt is a number of seconds');
}

/** An item's fields, but for key and `expiresAt`, come as JSON. */
export function itemBytes({ pk, sk }: Key, json: string): number {
  return Buffer.byteLength(pk) + Buffer.byteLength(sk) + Buffer.byteLength(json);
}

export function checkItemBytes(bytes: number): void {
  if (bytes > MAX_ITEM_BYTES) throw new RangeError(`An item has at most ${MAX_ITEM_BYTES} bytes, not ${bytes}`);
}

/** A field changes in one way only, and a key not at all. */
export function checkFieldChanges({ set = {}, unset = [], add = {} }: FieldChanges): void {
  const fields = [...Object.keys(set), ...unset, ...Object.keys(add)];
  if (fields.includes('pk') || fields.includes('sk')) throw new RangeError('A key does not change');
  if (new Set(fields).size < fields.length) throw new RangeError('A field changes twice in one update');
}

export function keyOf(change: Change): Key {
  if ('put' in change) return change.put;
  if ('update' in change) return change.update;
  return 'remove' in change ? change.remove : change.check;
}

export function checkChanges(changes: readonly Change[]): void {
  if (changes.length > MAX_CHANGES) {
    throw new RangeError(`A write has at most ${MAX_CHANGES} changes, not ${changes.length}`);
  }
  const keys = new Set(changes.map(keyOf).map(({ pk, sk }) => JSON.stringify([pk, sk])));
  if (keys.size < changes.length) throw new RangeError('A write changes an item twice');
}

export function checkWriteBytes(bytes: number): void {
  if (bytes > MAX_WRITE_BYTES) throw new RangeError(`A write has at most ${MAX_WRITE_BYTES} bytes, not ${bytes}`);
}

export function checkRange({ limit }: Range): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_ITEMS) {
    throw new RangeError(`A page has 1 to ${MAX_PAGE_ITEMS} items, not ${limit}`);
  }
}
