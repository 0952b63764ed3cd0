import type { PageIndex } from '../ports/page-index.ts';
import type { Listing, Table } from '../ports/table.ts';
import type { SiteRecord } from '../sites/site.ts';
import { normaliseUrl, urlHash } from '../web/url.ts';
import { pageKey, type RegisteredPage, registeredPages } from './page-registry.ts';

type PagesQuery = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly search?: string | undefined;
};

/** A page as it is named in the registry, by an address as it is shown. */
function identity(shown: string): Pick<RegisteredPage, 'url' | 'urlHash'> {
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
    const after = cursor === undefined ? undefined : identity(cursor);
    const page = await registeredPages(siteId, generation, { limit, after }, table);
    const last = page.items.at(-1);
    return { items: page.items, ...(page.next && last && { next: shownUrl(last) }) };
  }
  const found = await pageIndex.find(
    { siteId, generation },
    { text: search, limit, ...(cursor !== undefined && { after: cursor }) },
  );
  const keys = found.items.map(({ url }) => pageKey(siteId, generation, identity(url)));
  const rows = await table.getMany<RegisteredPage>(keys);
  return { items: rows.filter((row) => row !== undefined), ...(found.next !== undefined && { next: found.next }) };
}

/** A page as the list shows it. */
export const pageView = ({ title, summary, tags, publishedAt, crawledAt, indexedAt, ...page }: RegisteredPage) => ({
  url: shownUrl(page),
  title,
  ...(summary !== undefined && { summary }),
  tags: [...tags],
  ...(publishedAt !== undefined && { publishedAt }),
  crawledAt,
  indexedAt,
});
