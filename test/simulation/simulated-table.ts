import type { Change, Item, Table } from '../../lambdas/domain/ports/table.ts';
import type { TableState } from '../support/memory/table.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** Checks changes whose conditions hold, before they are made. */
export type TableGuard = (process: SimulatedProcess, changes: readonly Change[]) => void;

type TableDeps = { readonly state: TableState; readonly random: SeededRandom; readonly guard: TableGuard };

/** The table as a process sees it. The caller declares the types of answers, as with any table. */
export function simulatedTable(process: SimulatedProcess, { state, random, guard }: TableDeps): Table {
  const write = (changes: readonly Change[]) => state.write(changes, () => guard(process, changes));
  const oneByOne = (changes: readonly Change[], share: number): void => {
    for (const change of changes.slice(0, Math.ceil(changes.length * share))) write([change]);
  };
  const shortest = () => (random.chance(0.1) ? random.int(1, 10) : Number.POSITIVE_INFINITY);
  return {
    get: <T extends object>(key: Parameters<Table['get']>[0]) =>
      process.call('table', 'get', () => state.get(key) as (T & Item) | undefined),
    getMany: <T extends object>(keys: Parameters<Table['getMany']>[0]) =>
      process.call('table', 'getMany', () => keys.map((key) => state.get(key) as (T & Item) | undefined)),
    query: <T extends object>(pk: string, range: Parameters<Table['query']>[1]) =>
      process.call('table', 'query', () => {
        const { items, ...rest } = state.query(pk, range, shortest());
        return { items: items as readonly (T & Item)[], ...rest };
      }),
    update: <T extends object>(key: Parameters<Table['update']>[0], changes: Parameters<Table['update']>[1]) =>
      process.call('table', 'update', () => {
        const refused = write([{ update: { pk: key.pk, sk: key.sk }, ...changes }]);
        return refused.length > 0 ? undefined : (state.get(key) as T & Item);
      }),
    write: (changes) => process.call('table', 'write', () => write(changes)),
    putMany: (items) =>
      process.call('table', 'putMany', (share) =>
        oneByOne(
          items.map((put) => ({ put })),
          share,
        ),
      ),
    removeMany: (keys) =>
      process.call('table', 'removeMany', (share) =>
        oneByOne(
          keys.map((remove) => ({ remove })),
          share,
        ),
      ),
    count: () => Promise.reject(new Error('A crawl counts nothing')),
  };
}
