import type { Listing } from '../table.ts';

/** A listing of rows, of which one more than `limit` were asked for: it shows whether the list goes on. */
export function listingOf<T>(rows: readonly T[], limit: number, cursorOf: (last: T) => string): Listing<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(rows.length > limit && last && { next: cursorOf(last) }) };
}
