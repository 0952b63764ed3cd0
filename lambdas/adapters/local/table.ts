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
} from '../../core/ports/table.ts';
import { batches } from '../batches.ts';
import { engine } from './engine/current.ts';
import { type ItemRow, itemOf } from './engine/item-row.ts';

const BATCH = 100;

/** Callers may pass a whole item as a key. */
const bare = ({ pk, sk }: Key): Key => ({ pk, sk });

export const table: Table = {
  async get<T extends object = Item>(key: Key): Promise<(T & Item) | undefined> {
    return typed<T>(engine().reads.table.get(key));
  },

  async getMany<T extends object = Item>(keys: readonly Key[]): Promise<readonly ((T & Item) | undefined)[]> {
    return engine()
      .reads.table.getMany(keys)
      .map((row) => typed<T>(row));
  },

  async query<T extends object = Item>(pk: string, range: Range): Promise<Listing<T & Item>> {
    const { rows, next } = engine().reads.table.query(pk, range);
    return { items: rows.map((row) => itemOf(row) as T & Item), ...(next === undefined ? {} : { next }) };
  },

  async update<T extends object = Item>(
    key: Key,
    changes: FieldChanges & { readonly when?: Condition },
  ): Promise<(T & Item) | undefined> {
    return typed<T>(await engine().call.table.update(key, changes));
  },

  async write(changes: readonly Change[]): Promise<readonly Change[]> {
    const refused = new Set(await engine().call.table.write(changes));
    return changes.filter((_, index) => refused.has(index));
  },

  async putMany(items: readonly Item[]): Promise<void> {
    for (const batch of batches(items, BATCH)) await engine().call.table.put(batch);
  },

  async removeMany(keys: readonly Key[]): Promise<void> {
    for (const batch of batches(keys.map(bare), BATCH)) await engine().call.table.remove(batch);
  },

  async count(counter: Key, count: Count): Promise<number | undefined> {
    return engine().call.table.count(bare(counter), count);
  },
};

function typed<T extends object>(row: ItemRow | undefined): (T & Item) | undefined {
  return row && (itemOf(row) as T & Item);
}
