import type { PageIndex } from '../ports/page-index.ts';
import type { Listing, Table } from '../ports/table.ts';
import type { SiteRecord } from '../sites/site.ts';
import { normaliseUrl, urlHash } from '../web/url.ts';
import { type PageIdentity, type RegisteredPage, readRows, registeredPages } from './page-registry.ts';

type PagesQuery = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly search?: string | undefined;
};

function identityOf(shown: string): PageIdentity {
  const url = normaliseUrl(shown) ?? shown;
  return { url, urlHash: urlHash(url) };
}

const shownUrl = ({ url, givenUrl }: Pick<RegisteredPage, 'url' | 'givenUrl'>): string => givenUrl ?? url;

/** A site's pages by URL; `cursor` is the URL of the last one shown. A search looks at titles and URLs. */
export async function listPages(
  { settings: { siteId }, state: { generation } }: SiteRecord,
  { limit, cursor, search }: PagesQuery,
  { table, pageIndex }: { readonly table: Table; readonly pageIndex: PageIndex },
): Promise<Listing<RegisteredPage>> {
  if (!search) {
    const after = cursor === undefined ? undefined : identityOf(cursor);
    const page = await registeredPages(siteId, generation, { limit, after }, table);
    const last = page.items.at(-1);
    return { items: page.items, ...(page.next && last && { next: shownUrl(last) }) };
  }
  const site = { siteId, generation };
  const found = await pageIndex.find(site, { text: search, limit, ...(cursor !== undefined && { after: cursor }) });
  const identities = found.items.map(({ url }) => identityOf(url));
  const rows = await readRows(site, identities, table);
  const items = identities.flatMap((page) => rows.get(page.urlHash) ?? []);
  return { items, ...(found.next !== undefined && { next: found.next }) };
}

export const pageView = ({ title, summary, tags, publishedAt, crawledAt, indexedAt, ...page }: RegisteredPage) => ({
  url: shownUrl(page),
  title,
  ...(summary !== undefined && { summary }),
  tags: [...tags],
  ...(publishedAt !== undefined && { publishedAt }),
  crawledAt,
  indexedAt,
});
