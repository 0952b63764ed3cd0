import { batches } from '../../lambdas/domain/batches.ts';
import type {
  Condition,
  FieldChanges,
  Item,
  Key,
  Listing,
  Notes,
  Range,
  Table,
  TableReader,
} from '../../lambdas/domain/ports/table.ts';
import { engine } from '../threads/current.ts';

/* Apart from engine/item-store.ts, so that an endpoint loads the port alone. */

/** Items of one call. Writes of other threads wait for it. */
const BATCH = 100;

/** Callers may pass a whole item as a key. */
const bare = ({ pk, sk }: Key): Key => ({ pk, sk });

type Found<T> = (T & Item) | undefined;

export const table: Table = {
  get: async <T extends object = Item>(key: Key) => engine().read(({ table }) => table.get(key)) as Found<T>,
  getMany: async <T extends object = Item>(keys: readonly Key[]) =>
    engine().read(({ table }) => table.getMany(keys)) as readonly Found<T>[],
  query: async <T extends object = Item>(pk: string, range: Range) =>
    engine().read(({ table }) => table.query(pk, range)) as Listing<T & Item>,
  update: async <T extends object = Item>(key: Key, changes: FieldChanges & { readonly when?: Condition }) =>
    (await engine().call('table', 'update', key, changes)) as Found<T>,

  async write(changes) {
    const refused = new Set(await engine().call('table', 'write', changes));
    return changes.filter((_, index) => refused.has(index));
  },
  async putMany(items) {
    for (const batch of batches(items, BATCH)) await engine().call('table', 'put', batch);
  },
  async removeMany(keys) {
    for (const batch of batches(keys.map(bare), BATCH)) await engine().call('table', 'remove', batch);
  },
  count: async (counter, count) => engine().call('table', 'count', bare(counter), count),
};

export const tableReader: TableReader & Notes = table;
