import type { Key, Table } from '../ports/table.ts';

const PREFIX = 'SITE#';

/** Lists the site among those of all organisations. */
export const everySiteKey = (siteId: string): Key => ({ pk: 'SITES', sk: PREFIX + siteId });

/** The site that follows this one among all there are, or the first; those that are made meanwhile come last. */
export async function nextSite(siteId: string | undefined, table: Table): Promise<string | undefined> {
  const after = siteId === undefined ? {} : { after: everySiteKey(siteId).sk };
  for (let place: { readonly after?: string } = after; ; ) {
    const { items, next } = await table.query('SITES', { prefix: PREFIX, limit: 1, ...place });
    const [item] = items;
    if (item) return item.sk.slice(PREFIX.length);
    if (next === undefined) return undefined;
    place = { after: next };
  }
}
