import type { Change, Table } from '../ports/table.ts';

/** Each attempt omits at least one refused item, or follows a change of the shared condition. */
const ATTEMPTS = 20;

/** Another writer was first, the site is full, or the writer may no longer write. */
export type Refusal = 'overtaken' | 'no_room' | 'revoked';

export type ItemChanges<T> = {
  /** If one change of an item is refused, the item is `overtaken`, and the others are written without it. */
  readonly changesOf: ReadonlyMap<T, readonly Change[]>;
  readonly shared: (left: readonly T[]) => readonly Change[];
  /** Returns the items that cannot be written, with the reasons, after a shared change was refused. */
  readonly refuse: (left: readonly T[], refused: readonly Change[]) => Promise<ReadonlyMap<T, Refusal>>;
};

/** Writes the items in one transaction without those that are refused. Returns these with the reasons. */
export async function writeUnrefused<T>(changes: ItemChanges<T>, table: Table): Promise<ReadonlyMap<T, Refusal>> {
  const refusals = new Map<T, Refusal>();
  const leftItems = () => [...changes.changesOf.keys()].filter((item) => !refusals.has(item));
  for (let attempt = 0; attempt < ATTEMPTS && leftItems().length > 0; attempt++) {
    const refused = await tryToWrite(leftItems(), changes, table);
    if (refused.size === 0) return refusals;
    for (const [item, reason] of refused) if (reason) refusals.set(item, reason);
  }
  for (const item of leftItems()) refusals.set(item, 'overtaken');
  return refusals;
}

/** Returns an empty map if all items were written; else the refused items with the reason, or undefined for a retry. */
async function tryToWrite<T>(
  items: readonly T[],
  { changesOf, shared, refuse }: ItemChanges<T>,
  table: Table,
): Promise<ReadonlyMap<T, Refusal | undefined>> {
  const sharedChanges = shared(items);
  const refused = await table.write([...sharedChanges, ...items.flatMap((item) => changesOf.get(item) ?? [])]);
  if (refused.length === 0) return new Map();
  const isRefused = (change: Change): boolean => refused.includes(change);
  const overtaken = items.filter((item) => changesOf.get(item)?.some(isRefused));
  const others = items.filter((item) => !overtaken.includes(item));
  const reasons = sharedChanges.some(isRefused) ? await refuse(others, refused) : new Map<T, Refusal>();
  return new Map([
    ...overtaken.map((item) => [item, 'overtaken'] as const),
    ...others.map((item) => [item, reasons.get(item)] as const),
  ]);
}
