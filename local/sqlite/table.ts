import { batches } from '../../lambdas/domain/batches.ts';
import { KnownVersions } from '../../lambdas/domain/ports/rules/known-versions.ts';
import type {
  Condition,
  Counters,
  FieldChanges,
  Item,
  Key,
  Listing,
  Range,
  Table,
  TableReader,
} from '../../lambdas/domain/ports/table.ts';
import { store } from '../threads/store.ts';

/** The most items of one call, because writes of other threads wait for it. */
const BATCH = 100;

/** Returns only the key, because callers may pass a whole item. */
const bare = ({ pk, sk }: Key): Key => ({ pk, sk });

type Found<T> = (T & Item) | undefined;

export const table: Table = {
  versions: new KnownVersions(),
  get: async <T extends object = Item>(key: Key) => store().read.table.get(key) as Found<T>,
  getMany: async <T extends object = Item>(keys: readonly Key[]) =>
    store().read.table.getMany(keys) as readonly Found<T>[],
  query: async <T extends object = Item>(pk: string, range: Range) =>
    store().read.table.query(pk, range) as Listing<T & Item>,
  update: async <T extends object = Item>(key: Key, changes: FieldChanges & { readonly when?: Condition }) =>
    (await store().write.table.update(key, changes)) as Found<T>,

  async write(changes) {
    const refused = new Set(await store().write.table.write(changes));
    return changes.filter((_, index) => refused.has(index));
  },
  async putMany(items) {
    for (const batch of batches(items, BATCH)) await store().write.table.put(batch);
  },
  async removeMany(keys) {
    for (const batch of batches(keys.map(bare), BATCH)) await store().write.table.remove(batch);
  },
  count: async (counter, count) => store().main.counters.count(bare(counter), count),
};

export const tableReader: TableReader & Counters = table;
