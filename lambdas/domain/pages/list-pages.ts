import { defined } from '../../text/defined.ts';
import { normaliseUrl, urlHash } from '../../text/web/url.ts';
import type { IndexReader } from '../ports/index-reader.ts';
import type { Listing, TableReader } from '../ports/table.ts';
import type { SiteRecord } from '../sites/site.ts';
import { unknownCursor } from '../unknown-cursor.ts';
import { aliasesView } from './aliases.ts';
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

/** Lists a site's pages by URL. `cursor` is the URL of the last page shown. */
async function pagesByUrl(
  { settings: { siteId }, state: { generation } }: SiteRecord,
  { limit, cursor }: Pick<PagesQuery, 'limit' | 'cursor'>,
  table: TableReader,
): Promise<Listing<RegisteredPage>> {
  const after = cursor === undefined ? undefined : identityOf(cursor);
  const page = await registeredPages(siteId, generation, { limit, after }, table);
  const last = page.items.at(-1);
  const items = page.items.filter(({ removing }) => !removing);
  return { items, ...(page.next && last && { next: shownUrl(last) }) };
}

/**
 * Lists pages like `pagesByUrl`, but only accepts a cursor of this list. The cursor's page may have been deleted since.
 */
export async function indexPages(
  site: SiteRecord,
  query: Pick<PagesQuery, 'limit' | 'cursor'>,
  table: TableReader,
): Promise<Listing<RegisteredPage>> {
  if (query.cursor !== undefined && normaliseUrl(query.cursor) === undefined) throw unknownCursor();
  return pagesByUrl(site, query, table);
}

/** Lists pages like `pagesByUrl`. With `search`, lists those whose title or URL contains the text. */
export async function listPages(
  site: SiteRecord,
  { limit, cursor, search }: PagesQuery,
  { table, pageIndex }: { readonly table: TableReader; readonly pageIndex: IndexReader },
): Promise<Listing<RegisteredPage>> {
  if (!search) return pagesByUrl(site, { limit, cursor }, table);
  const scope = { siteId: site.settings.siteId, generation: site.state.generation };
  const found = await pageIndex.find(scope, { text: search, limit, ...defined({ after: cursor }) });
  const identities = found.items.map(({ url }) => identityOf(url));
  const rows = await readRows(scope, identities, table);
  const items = identities.flatMap((page) => {
    const row = rows.get(page.urlHash);
    return row && !row.removing ? row : [];
  });
  return { items, ...defined({ next: found.next }) };
}

export const pageView = ({ title, summary, tags, publishedAt, crawledAt, indexedAt, ...page }: RegisteredPage) => ({
  url: shownUrl(page),
  title,
  ...defined({ summary }),
  tags: [...tags],
  ...defined({ publishedAt }),
  crawledAt,
  indexedAt,
  ...aliasesView(page.aliases),
  ...(page.unlinked && { unlinked: true as const }),
  ...(page.truncated && { truncated: true as const }),
});

export const indexPageView = ({ title, key, chunks, source, indexedAt, ...page }: RegisteredPage) => ({
  url: shownUrl(page),
  title,
  ...defined({ key }),
  chunks,
  source,
  indexedAt,
  ...aliasesView(page.aliases),
  ...(page.unlinked && { unlinked: true as const }),
  ...(page.truncated && { truncated: true as const }),
});
