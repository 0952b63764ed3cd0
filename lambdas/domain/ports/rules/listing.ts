import type { Listing } from '../table.ts';

/**
 * Returns a listing of rows. The query must ask for one row more than `limit`, which tells whether there is a next
 * page.
 */
export function listingOf<T>(rows: readonly T[], limit: number, cursorOf: (last: T) => string): Listing<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(rows.length > limit && last && { next: cursorOf(last) }) };
}
