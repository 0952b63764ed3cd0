import { holds } from '../../lambdas/domain/ports/rules/condition.ts';
import { withChanges } from '../../lambdas/domain/ports/rules/field-changes.ts';
import { checkChanges, checkKey, checkRange, keyOf } from '../../lambdas/domain/ports/rules/table-limits.ts';
import type { Change, Item, Key, Listing, Range } from '../../lambdas/domain/ports/table.ts';

/** The items of a simulated table. Changes take effect at once. */
export class TableState {
  readonly #partitions = new Map<string, Map<string, Item>>();

  get({ pk, sk }: Key): Item | undefined {
    return this.#partitions.get(pk)?.get(sk);
  }

  /** All items of a pk whose sort keys start with the prefix, in order. */
  under(pk: string, prefix = ''): readonly Item[] {
    const items = [...(this.#partitions.get(pk)?.values() ?? [])].filter(({ sk }) => sk.startsWith(prefix));
    return items.sort((a, b) => (a.sk < b.sk ? -1 : 1)); // ASCII keys: UTF-16 order is byte order
  }

  /** `most` shortens the answer, which may always have fewer items than its limit. */
  query(pk: string, range: Range, most: number): Listing<Item> {
    checkRange(range);
    const { prefix, after, descending = false, limit } = range;
    const ordered = descending ? this.under(pk, prefix).toReversed() : this.under(pk, prefix);
    const beyond = ordered.filter(({ sk }) => after === undefined || (descending ? sk < after : sk > after));
    const items = beyond.slice(0, Math.min(limit, most));
    const last = items.at(-1);
    return { items, ...(last && items.length < beyond.length && { next: last.sk }) };
  }

  /** Writes all changes if every condition holds, and returns those that do not hold. */
  write(changes: readonly Change[], beforeWriting: () => void): readonly Change[] {
    checkChanges(changes);
    const refused = changes.filter((change) => change.when && !holds(change.when, this.get(keyOf(change))));
    if (refused.length > 0) return refused;
    beforeWriting();
    for (const change of changes) this.#apply(change);
    return [];
  }

  get partitions(): readonly string[] {
    return [...this.#partitions.keys()];
  }

  #apply(change: Change): void {
    if ('put' in change) this.#put(change.put);
    else if ('update' in change) {
      const { update, when, ...fields } = change;
      this.#put(withChanges(update, this.get(update), fields));
    } else if ('remove' in change) {
      const { pk, sk } = change.remove;
      const partition = this.#partitions.get(pk);
      partition?.delete(sk);
      if (partition?.size === 0) this.#partitions.delete(pk);
    }
  }

  #put(item: Item): void {
    checkKey(item);
    const partition = this.#partitions.get(item.pk) ?? new Map<string, Item>();
    this.#partitions.set(item.pk, partition.set(item.sk, Object.freeze(JSON.parse(JSON.stringify(item)))));
  }
}
