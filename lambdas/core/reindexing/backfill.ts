import { metadataFacts } from '../pages/facts.ts';
import { indexEntries } from '../pages/index-entry.ts';
import { pageKey, type RegisteredPage, registeredPages } from '../pages/page-registry.ts';
import type { SiteScope } from '../ports/page-index.ts';
import type { PageStore } from '../ports/page-store.ts';
import type { Table } from '../ports/table.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import type { OpenedIndex } from './dual-write-index.ts';

/** So much is read, embedded and written together, or one page: about one request to a provider, and one of a megabyte to the index. */
const MOST_PAGES = 20;
const MOST_CHUNKS = 128;

export type PagePosition = Pick<RegisteredPage, 'url' | 'urlHash'>;

type RebuildDeps = { readonly table: Table; readonly pageStore: PageStore };

/** A page that gets another revision while it is put is put once more, for there may be no other index entry of it: so often at most. */
const ATTEMPTS = 3;

/**
 * Puts the next pages of a site into an index, from their registry rows and stored texts. Answers after which page to go on, or
 * undefined when all are there. Doing it again is harmless: whoever writes or removes a page meanwhile does it in that index too, with
 * a revision that is not lower.
 */
export async function backfillPages(
  siteId: string,
  after: PagePosition | undefined,
  side: OpenedIndex,
  deps: RebuildDeps,
): Promise<PagePosition | undefined> {
  const generation = await generationOf(siteId, deps.table);
  if (generation === undefined) return undefined;
  const { items, next } = await registeredPages(siteId, generation, { limit: MOST_PAGES, after }, deps.table);
  const rows = firstOf(items);
  let left = rows;
  for (let attempt = 0; left.length > 0 && attempt < ATTEMPTS; attempt++)
    left = await putPages({ siteId, generation }, left, side, deps);
  const last = rows.at(-1);
  const isLast = next === undefined && rows.length === items.length;
  return isLast || !last ? undefined : { url: last.url, urlHash: last.urlHash };
}

/** Answers the rows of those that have another revision by now: one that only its text has, or one that is in this index too. */
async function putPages(
  site: SiteScope,
  rows: readonly RegisteredPage[],
  { index, embedder }: OpenedIndex,
  { table, pageStore }: RebuildDeps,
): Promise<readonly RegisteredPage[]> {
  const texts = await pageStore.get(rows.map(({ urlHash, revision }) => ({ ...site, urlHash, revision })));
  const pages = rows.flatMap((row, place) => {
    const content = texts[place];
    return content ? [{ ...site, row, content, facts: metadataFacts(content.metadata) }] : [];
  });
  const indexed = await indexEntries(pages, embedder);
  // To embed may take long: what was removed long ago the index may have forgotten, and it would take it for new.
  const present = await presentRows(site, rows, table);
  const revisions = new Map(present.map(({ urlHash, revision }) => [urlHash, revision]));
  const left = indexed.filter(({ row: { urlHash, revision } }) => revisions.get(urlHash) === revision);
  const entries = left.map(({ entry }) => entry);
  if (entries.length > 0) await index.put(entries, { visible: 'soon' });
  const before = new Map(rows.map(({ urlHash, revision }) => [urlHash, revision]));
  return present.filter(({ urlHash, revision }) => before.get(urlHash) !== revision);
}

async function generationOf(siteId: string, table: Table): Promise<number | undefined> {
  return (await table.get<SiteState>(stateKey(siteId)))?.generation;
}

/** As many as are to be worked together. */
function firstOf(rows: readonly RegisteredPage[]): readonly RegisteredPage[] {
  let chunks = 0;
  const beyond = rows.findIndex((row, place) => {
    chunks += row.chunks;
    return place > 0 && chunks > MOST_CHUNKS;
  });
  return beyond === -1 ? rows : rows.slice(0, beyond);
}

/** What the site has of these pages still. */
async function presentRows(
  { siteId, generation }: SiteScope,
  pages: readonly RegisteredPage[],
  table: Table,
): Promise<readonly RegisteredPage[]> {
  const rows = await table.getMany<RegisteredPage>(pages.map((row) => pageKey(siteId, generation, row)));
  const isPresent = (await generationOf(siteId, table)) === generation;
  return isPresent ? rows.filter((row) => row !== undefined) : [];
}
