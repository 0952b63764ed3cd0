import type { Key, TableReader } from '../ports/table.ts';

const PREFIX = 'SITE#';

/** The partition that lists all sites. */
export const EVERY_SITE = { pk: 'SITES', prefix: PREFIX } as const;

export const everySiteKey = (siteId: string): Key => ({ pk: 'SITES', sk: PREFIX + siteId });

/** Returns the site after this one, or the first of all; undefined after the last. New sites come last. */
export async function nextSite(siteId: string | undefined, table: TableReader): Promise<string | undefined> {
  const after = siteId === undefined ? {} : { after: everySiteKey(siteId).sk };
  for (let range: { readonly after?: string } = after; ; ) {
    const { items, next } = await table.query('SITES', { prefix: PREFIX, limit: 1, ...range });
    const [item] = items;
    if (item) return item.sk.slice(PREFIX.length);
    if (next === undefined) return undefined;
    range = { after: next };
  }
}
