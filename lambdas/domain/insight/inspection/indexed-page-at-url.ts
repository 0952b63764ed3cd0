import { defined } from '../../../text/defined.ts';
import { plainText } from '../../../text/page-content.ts';
import { heldPage, pendingReviews } from '../../crawl/reviews/review.ts';
import { type AliasItem, aliasesView, aliasKey } from '../../pages/aliases.ts';
import { type PageIdentity, type RegisteredPage, readRows, removalKey } from '../../pages/page-registry.ts';
import { readStoredPages } from '../../pages/stored-page.ts';
import type { SiteScope } from '../../ports/page-index.ts';
import type { PageStoreReader, StoredPage } from '../../ports/page-store.ts';
import type { TableReader } from '../../ports/table.ts';

type Deps = { readonly table: TableReader; readonly pageStore: PageStoreReader };

/** Returns what a site has at a URL: a page, or another page of which the URL is an alias. */
export async function indexedPageAt(page: PageIdentity, site: SiteScope, { table, pageStore }: Deps) {
  const row = (await readRows(site, [page], table)).get(page.urlHash);
  if (!row) return { aliasOf: await ownerOf(page, site, table) };
  const stored = (await readStoredPages(site, [row], pageStore)).get(page.urlHash);
  return { row, page: { ...rowView(row), ...(stored && textView(stored)) } };
}

/** Returns the owner of an alias. An alias item whose owner has no row is ignored. */
async function ownerOf({ urlHash }: PageIdentity, site: SiteScope, table: TableReader): Promise<string | undefined> {
  const item = await table.get<AliasItem>(aliasKey(site, urlHash));
  const owners = item ? await readRows(site, [item.owner], table) : undefined;
  return owners?.size === 1 ? item?.owner.url : undefined;
}

const rowView = (row: RegisteredPage) => ({
  title: row.title,
  source: row.source,
  chunks: row.chunks,
  crawledAt: row.crawledAt,
  indexedAt: row.indexedAt,
  isSearchable: row.removing !== true,
  ...defined({ key: row.key, publishedAt: row.publishedAt }),
  ...(row.unlinked && { unlinked: true as const }),
  ...aliasesView(row.aliases),
});

const textView = (page: StoredPage) => ({
  characters: plainText(page).length,
  links: page.links.length,
  ...defined({ language: page.language, canonical: page.canonical }),
});

export type Removal =
  | { readonly state: 'held'; readonly reviewId: string; readonly reason: string }
  | { readonly state: 'removed' };

/** Returns the state of a page's removal: held in a review, or done within the last hour. */
export async function latestRemoval(
  page: PageIdentity,
  site: SiteScope,
  table: TableReader,
): Promise<Removal | undefined> {
  for (const review of await pendingReviews(site.siteId, table)) {
    const held = review.generation === site.generation ? await heldPage(review, page.url, table) : undefined;
    if (held) return { state: 'held', reviewId: review.reviewId, reason: held.reason };
  }
  const removed = await table.get(removalKey(site.siteId, site.generation, page));
  return removed && { state: 'removed' };
}
