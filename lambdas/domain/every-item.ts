import type { Item, TableReader } from './ports/table.ts';

const PAGE = 1000;

/**
 * All items of a pk whose sort keys start with the prefix, in order, or those after a sort key. They are read lazily,
 * 1,000 at a time.
 */
export async function* everyItem<T extends object = Item>(
  table: TableReader,
  pk: string,
  prefix: string,
  startAfter?: string,
): AsyncGenerator<T & Item> {
  let after = startAfter;
  do {
    const page = await table.query<T>(pk, { prefix, limit: PAGE, ...(after !== undefined && { after }) });
    yield* page.items;
    after = page.next;
  } while (after !== undefined);
}

/** The first items whose sort keys start with the prefix, at most `limit`. The table may answer in shorter parts. */
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
