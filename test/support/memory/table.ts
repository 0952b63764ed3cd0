import { holds } from '../../../lambdas/domain/ports/rules/condition.ts';
import { withChanges } from '../../../lambdas/domain/ports/rules/field-changes.ts';
import { KnownVersions } from '../../../lambdas/domain/ports/rules/known-versions.ts';
import {
  checkChanges,
  checkCount,
  checkItem,
  checkItemBytes,
  checkKey,
  checkRange,
  checkWriteBytes,
  itemBytes,
  keyOf,
  MAX_LISTING_BYTES,
} from '../../../lambdas/domain/ports/rules/table-limits.ts';
import type { Change, Count, Item, Key, Listing, Range, Table } from '../../../lambdas/domain/ports/table.ts';

type Row = { readonly item: Item; readonly bytes: number };

/** The items of a table in memory. Changes take effect at once. */
export class TableState {
  readonly #partitions = new Map<string, Map<string, Row>>();
  readonly #counts = new Map<string, number>();
  readonly #now: () => number;

  /** `now` is in epoch seconds. */
  constructor(now: () => number = () => Date.now() / 1000) {
    this.#now = now;
  }

  get(key: Key): Item | undefined {
    checkKey(key);
    const row = this.#partitions.get(key.pk)?.get(key.sk);
    return row && this.#isLive(row) ? row.item : undefined;
  }

  /** All items of a pk whose sort keys start with the prefix, in order. */
  under(pk: string, prefix = ''): readonly Item[] {
    return this.#rows(pk, prefix).map(({ item }) => item);
  }

  /** `most` shortens the answer, which may always have fewer items than its limit. */
  query(pk: string, range: Range, most = Number.POSITIVE_INFINITY): Listing<Item> {
    checkRange(range);
    const { prefix = '', after, descending = false, limit } = range;
    const rows = descending ? this.#rows(pk, prefix).toReversed() : this.#rows(pk, prefix);
    const items: Item[] = [];
    let bytes = 0;
    for (const row of rows) {
      const { sk } = row.item;
      if (after !== undefined && (descending ? byBytes(sk, after) >= 0 : byBytes(sk, after) <= 0)) continue;
      bytes += row.bytes;
      const last = items.at(-1);
      const isFull = items.length >= Math.min(limit, most) || bytes > MAX_LISTING_BYTES;
      if (last !== undefined && isFull) return { items, next: last.sk };
      items.push(row.item);
    }
    return { items };
  }

  /** Writes all changes if every condition holds, and returns those that do not hold. */
  write(changes: readonly Change[], beforeWriting: () => void = () => undefined): readonly Change[] {
    checkChanges(changes);
    const refused = changes.filter((change) => !holds(change.when ?? {}, this.get(keyOf(change))));
    if (refused.length > 0) return refused;
    const rows = changes.flatMap((change) => this.#rowAfter(change) ?? []);
    checkWriteBytes(rows.reduce((sum, { bytes }) => sum + bytes, 0));
    beforeWriting();
    for (const row of rows) this.#put(row);
    for (const change of changes) if ('remove' in change) this.#remove(change.remove);
    return [];
  }

  count(counter: Key, count: Count): number | undefined {
    checkCount(counter, count);
    const name = JSON.stringify([counter.pk, counter.sk]);
    const sum = (this.#counts.get(name) ?? 0) + count.by;
    if (count.by > 0 && sum > (count.atMost ?? Number.POSITIVE_INFINITY)) return undefined;
    this.#counts.set(name, sum);
    return sum;
  }

  /** The partitions that have an item which has not expired. */
  get partitions(): readonly string[] {
    return [...this.#partitions.keys()].filter((pk) => this.under(pk).length > 0);
  }

  #isLive({ item }: Row): boolean {
    return item.expiresAt === undefined || item.expiresAt > this.#now();
  }

  #rows(pk: string, prefix: string): readonly Row[] {
    const rows = [...(this.#partitions.get(pk)?.values() ?? [])];
    const found = rows.filter((row) => row.item.sk.startsWith(prefix) && this.#isLive(row));
    return found.sort((a, b) => byBytes(a.item.sk, b.item.sk));
  }

  #rowAfter(change: Change): Row | undefined {
    if ('put' in change) return rowOf(change.put);
    return 'update' in change ? rowOf(withChanges(change.update, this.get(change.update), change)) : undefined;
  }

  #put(row: Row): void {
    const { pk, sk } = row.item;
    const partition = this.#partitions.get(pk) ?? new Map<string, Row>();
    this.#partitions.set(pk, partition.set(sk, row));
  }

  #remove({ pk, sk }: Key): void {
    const partition = this.#partitions.get(pk);
    partition?.delete(sk);
    if (partition?.size === 0) this.#partitions.delete(pk);
  }
}

/** `Table` in memory. The caller declares the types of answers, as with any table. */
export function memoryTable(state = new TableState()): Table {
  const get = <T extends object>(key: Key) => state.get(key) as (T & Item) | undefined;
  return {
    versions: new KnownVersions(),
    get: async (key) => get(key),
    getMany: async (keys) => keys.map((key) => get(key)),
    query: async <T extends object>(pk: string, range: Range) => state.query(pk, range) as Listing<T & Item>,
    update: async (key, changes) => {
      const refused = state.write([{ update: { pk: key.pk, sk: key.sk }, ...changes }]);
      return refused.length > 0 ? undefined : get(key);
    },
    write: async (changes) => state.write(changes),
    putMany: async (items) => {
      for (const put of items) state.write([{ put }]);
    },
    removeMany: async (keys) => {
      for (const remove of keys) state.write([{ remove }]);
    },
    count: async (counter, count) => state.count(counter, count),
  };
}

/** The order of UTF-8 bytes, which is that of code points. */
function byBytes(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return (a.codePointAt(i) ?? -1) - (b.codePointAt(i) ?? -1);
}

function rowOf(item: Item): Row {
  checkItem(item);
  const { pk, sk, expiresAt, ...fields } = item;
  const json = JSON.stringify(fields);
  const bytes = itemBytes(item, json);
  checkItemBytes(bytes);
  const stored = { ...JSON.parse(json), pk, sk, ...(expiresAt !== undefined && { expiresAt }) };
  return { item: Object.freeze(stored), bytes };
}
