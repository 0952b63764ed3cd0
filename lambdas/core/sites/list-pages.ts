import type { Page, PageIndex, Table } from '../../adapters/ports.ts';
import { urlHash } from '../web/url.ts';
import { pageKey, type RegisteredPage, registeredPages } from './page-registry.ts';
import type { SiteRecord } from './site.ts';

type PagesQuery = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly search?: string | undefined;
};

/** A site's pages by URL; `cursor` is the URL of the last one shown. A search looks at titles and URLs. */
export async function listPages(
  { settings: { siteId }, state: { generation } }: SiteRecord,
  { limit, cursor, search }: PagesQuery,
  { table, pageIndex }: { readonly table: Table; readonly pageIndex: PageIndex },
): Promise<Page<RegisteredPage>> {
  if (!search) {
    const after = cursor === undefined ? undefined : { url: cursor, urlHash: urlHash(cursor) };
    const page = await registeredPages(siteId, generation, { limit, after }, table);
    const last = page.items.at(-1);
    return { items: page.items, ...(page.next && last && { next: last.url }) };
  }
  const found = await pageIndex.find(
    { siteId, generation },
    { text: search, limit, ...(cursor !== undefined && { after: cursor }) },
  );
  const rows = await table.getMany<RegisteredPage>(found.items.map((page) => pageKey(siteId, generation, page)));
  return { items: rows.filter((row) => row !== undefined), ...(found.next !== undefined && { next: found.next }) };
}

/** A page as the list shows it. */
export const pageView = ({ url, title, summary, tags, publishedAt, crawledAt, indexedAt }: RegisteredPage) => ({
  url,
  title,
  ...(summary !== undefined && { summary }),
  tags: [...tags],
  ...(publishedAt !== undefined && { publishedAt }),
  crawledAt,
  indexedAt,
});
