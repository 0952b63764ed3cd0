import type { DatabaseSync } from 'node:sqlite';
import { holds } from '../../lambdas/domain/ports/rules/condition.ts';
import { withChanges } from '../../lambdas/domain/ports/rules/field-changes.ts';
import {
  checkChanges,
  checkItem,
  checkItemBytes,
  checkKey,
  checkRange,
  checkWriteBytes,
  itemBytes,
  keyOf,
  MAX_LISTING_BYTES,
} from '../../lambdas/domain/ports/rules/table-limits.ts';
import type { Change, Condition, FieldChanges, Item, Key, Listing, Range } from '../../lambdas/domain/ports/table.ts';
import { BEYOND_TEXT, prefixEnd } from './prefix-end.ts';

/** An item as stored. `value` has its other fields as JSON. */
type ItemRow = { readonly pk: string; readonly sk: string; readonly value: string; readonly expiresAt: number | null };

const ROW = 'pk, sk, value, expires_at AS expiresAt';
const NOT_EXPIRED = '(expires_at IS NULL OR expires_at > :now)';

// The index supports one lower and one upper bound. The unary plus keeps the query planner from using the third term.
const IN_RANGE = `pk = :pk AND sk >= max(:prefix, :above) AND +sk > :above AND sk < min(:end, :below)
  AND ${NOT_EXPIRED}`;

/** Stores items in SQLite. `now` is in epoch seconds. */
export function itemStore(database: DatabaseSync, now: () => number) {
  // The parameters have no names, because names take half of the time and a search of a group reads a hundred items.
  const selectOne = database.prepare(
    `SELECT ${ROW} FROM item WHERE pk = ?1 AND sk = ?2 AND (expires_at IS NULL OR expires_at > ?3)`,
  );
  const selectUp = database.prepare(`SELECT ${ROW} FROM item WHERE ${IN_RANGE} ORDER BY sk LIMIT :rows`);
  const selectDown = database.prepare(`SELECT ${ROW} FROM item WHERE ${IN_RANGE} ORDER BY sk DESC LIMIT :rows`);
  const upsert = database.prepare('INSERT OR REPLACE INTO item VALUES (:pk, :sk, :value, :expiresAt)');
  const remove = database.prepare('DELETE FROM item WHERE pk = :pk AND sk = :sk');
  const sweep = database.prepare(
    'DELETE FROM item WHERE (pk, sk) IN (SELECT pk, sk FROM item WHERE expires_at <= :now LIMIT :limit)',
  );

  const load = (key: Key): Item | undefined => {
    checkKey(key);
    const row = selectOne.get(key.pk, key.sk, now()) as ItemRow | undefined;
    return row && itemOf(row);
  };

  return {
    get: load,

    getMany: (keys: readonly Key[]) => keys.map(load),

    query(pk: string, range: Range): Listing<Item> {
      checkRange(range);
      const { prefix = '', after, descending = false, limit } = range;
      const select = descending ? selectDown : selectUp;
      const found = select.iterate({
        pk,
        prefix,
        above: (descending ? undefined : after) ?? '',
        end: prefixEnd(prefix) ?? BEYOND_TEXT,
        below: (descending ? after : undefined) ?? BEYOND_TEXT,
        now: now(),
        rows: limit + 1,
      });
      return firstPage(found as Iterable<ItemRow>, limit);
    },

    update(key: Key, changes: FieldChanges & { readonly when?: Condition }): Item | undefined {
      const item = load(key);
      if (!holds(changes.when ?? {}, item)) return undefined;
      const changed = withChanges(key, item, changes);
      upsert.run(checkedRow(changed));
      return changed;
    },

    /** Returns the indexes of the refused changes, because objects lose their identity between threads. */
    write(changes: readonly Change[]): readonly number[] {
      checkChanges(changes);
      const items = changes.map((change) => load(keyOf(change)));
      const refused = changes.flatMap((change, index) => (holds(change.when ?? {}, items[index]) ? [] : [index]));
      if (refused.length > 0) return refused;
      const rows = changes.flatMap((change, index) => rowAfter(change, items[index]) ?? []);
      checkWriteBytes(rows.reduce((bytes, row) => bytes + rowBytes(row), 0));
      for (const row of rows) upsert.run(row);
      for (const change of changes) if ('remove' in change) remove.run({ pk: change.remove.pk, sk: change.remove.sk });
      return [];
    },

    put(items: readonly Item[]): void {
      for (const item of items) upsert.run(checkedRow(item));
    },

    remove(keys: readonly Key[]): void {
      for (const { pk, sk } of keys) remove.run({ pk, sk });
    },

    /** Deletes up to `limit` expired items. Returns their number. */
    sweep: (limit: number): number => Number(sweep.run({ now: now(), limit }).changes),
  };
}

function firstPage(found: Iterable<ItemRow>, limit: number): Listing<Item> {
  const items: Item[] = [];
  let bytes = 0;
  for (const row of found) {
    bytes += rowBytes(row);
    const last = items.at(-1);
    if (last !== undefined && (items.length === limit || bytes > MAX_LISTING_BYTES)) return { items, next: last.sk };
    items.push(itemOf(row));
  }
  return { items };
}

function itemOf({ pk, sk, value, expiresAt }: ItemRow): Item {
  return { ...JSON.parse(value), pk, sk, ...(expiresAt === null ? {} : { expiresAt }) };
}

const rowBytes = (row: ItemRow): number => itemBytes(row, row.value);

function rowAfter(change: Change, item: Item | undefined): ItemRow | undefined {
  if ('put' in change) return checkedRow(change.put);
  return 'update' in change ? checkedRow(withChanges(change.update, item, change)) : undefined;
}

function checkedRow(item: Item): ItemRow {
  checkItem(item);
  const { pk, sk, expiresAt, ...fields } = item;
  const row = { pk, sk, value: JSON.stringify(fields), expiresAt: expiresAt ?? null };
  checkItemBytes(rowBytes(row));
  return row;
}
