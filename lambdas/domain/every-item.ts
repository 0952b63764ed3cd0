import { defined } from '../text/defined.ts';
import type { Item, TableReader } from './ports/table.ts';

const PAGE = 1000;

/**
 * Yields all items of a partition whose sort keys start with the prefix, in order, optionally from after a sort key.
 * Reads 1,000 items at a time, lazily.
 */
export async function* everyItem<T extends object = Item>(
  table: TableReader,
  pk: string,
  prefix: string,
  startAfter?: string,
): AsyncGenerator<T & Item> {
  let after = startAfter;
  do {
    const page = await table.query<T>(pk, { prefix, limit: PAGE, ...defined({ after }) });
    yield* page.items;
    after = page.next;
  } while (after !== undefined);
}

/**
 * Returns the first items whose sort keys start with the prefix, at most `limit`. It repeats the query if the table
 * answers fewer.
 */
export async function firstItems<T extends object = Item>(
  table: TableReader,
  pk: string,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<readonly (T & Item)[]> {
  const first = await table.query<T>(pk, { prefix, limit });
  const items = [...first.items];
  for (let after = first.next; after !== undefined && items.length < limit; ) {
    const part = await table.query<T>(pk, { prefix, limit: limit - items.length, after });
    items.push(...part.items);
    after = part.next;
  }
  return items;
}
