import type { DatabaseSync } from 'node:sqlite';
import type { Change, Condition, Count, FieldChanges, Item, Key, Range } from '../../../core/ports/table.ts';
import { holds } from '../../port-rules/condition.ts';
import { withChanges } from '../../port-rules/field-changes.ts';
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
} from '../../port-rules/table-limits.ts';
import { Counters } from './counters.ts';
import { type ItemRow, itemOf, rowOf } from './item-row.ts';
import { prefixEnd } from './prefix-end.ts';

export type RowPage = { readonly rows: readonly ItemRow[]; readonly next?: string };

/** Greater than any text: SQLite sorts blobs after text. */
const BEYOND_TEXT = new Uint8Array(0);

const ROW = 'pk, sk, value, expires_at AS expiresAt';
const NOT_EXPIRED = '(expires_at IS NULL OR expires_at > :now)';

// The index supports one lower and one upper bound. The unary plus keeps the query planner from using the third term.
const IN_RANGE = `pk = :pk AND sk >= max(:prefix, :above) AND +sk > :above AND sk < min(:end, :below)
  AND ${NOT_EXPIRED}`;

/** `Table` over SQLite. It returns rows, so that the caller's thread parses the items. `now` is in epoch seconds. */
export function tableStore(database: DatabaseSync, now: () => number) {
  // Its parameters have no names: a search of a group reads a hundred items, and names take half of that time.
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

  const counters = new Counters(now);

  const load = (key: Key): ItemRow | undefined => {
    checkKey(key);
    return selectOne.get(key.pk, key.sk, now()) as ItemRow | undefined;
  };

  const loadItem = (key: Key): Item | undefined => {
    const row = load(key);
    return row && itemOf(row);
  };

  return {
    get: load,

    getMany: (keys: readonly Key[]) => keys.map(load),

    query(pk: string, range: Range): RowPage {
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

    update(key: Key, changes: FieldChanges & { readonly when?: Condition }): ItemRow | undefined {
      const item = loadItem(key);
      if (!holds(changes.when ?? {}, item)) return undefined;
      const row = checkedRow(withChanges(key, item, changes));
      upsert.run(row);
      return row;
    },

    /** Returns the indexes of the refused changes: objects lose their identity between threads. */
    write(changes: readonly Change[]): readonly number[] {
      checkChanges(changes);
      const items = changes.map((change) => loadItem(keyOf(change)));
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

    count: (counter: Key, count: Count) => counters.add(counter, count),

    /** Deletes up to `limit` expired items and all expired counters, and returns the number of items. */
    sweep(limit: number): number {
      counters.sweep();
      return Number(sweep.run({ now: now(), limit }).changes);
    },
  };
}

function firstPage(found: Iterable<ItemRow>, limit: number): RowPage {
  const rows: ItemRow[] = [];
  let bytes = 0;
  for (const row of found) {
    bytes += rowBytes(row);
    const last = rows.at(-1);
    if (last !== undefined && (rows.length === limit || bytes > MAX_LISTING_BYTES)) return { rows, next: last.sk };
    rows.push(row);
  }
  return { rows };
}

const rowBytes = (row: ItemRow): number => itemBytes(row, row.value);

function rowAfter(change: Change, item: Item | undefined): ItemRow | undefined {
  if ('put' in change) return checkedRow(change.put);
  return 'update' in change ? checkedRow(withChanges(change.update, item, change)) : undefined;
}

function checkedRow(item: Item): ItemRow {
  checkItem(item);
  const row = rowOf(item);
  checkItemBytes(rowBytes(row));
  return row;
}
