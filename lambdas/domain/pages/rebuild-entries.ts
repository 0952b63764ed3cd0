import type { Embedder } from '../ports/embedder.ts';
import type { IndexEntry, PageIndex, SiteScope } from '../ports/page-index.ts';
import type { PageStore } from '../ports/page-store.ts';
import type { Table } from '../ports/table.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import { indexEntries } from './index-entry.ts';
import { type PageIdentity, type RegisteredPage, readRows } from './page-registry.ts';
import { readStoredPages } from './stored-page.ts';

/** A page needs another attempt if it got a new revision, and so a new text, before its text was read. */
const ATTEMPTS = 3;

type RebuildTarget = { readonly index: PageIndex; readonly embedder: Embedder };
type RebuildDeps = { readonly table: Table; readonly pageStore: PageStore };

/**
 * Puts the entries of registered pages into an index, which is step 3 of write-pages.ts alone. May be repeated. Returns
 * the entries that it has put.
 */
export async function rebuildEntries(
  site: SiteScope,
  rows: readonly RegisteredPage[],
  target: RebuildTarget,
  deps: RebuildDeps,
): Promise<readonly IndexEntry[]> {
  let left = rows;
  const put: IndexEntry[] = [];
  for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt++) {
    const stored = await readStoredPages(site, left, deps.pageStore);
    const pages = left.flatMap((row) => {
      const content = stored.get(row.urlHash);
      return content ? [{ ...site, row, content }] : [];
    });
    const entries = await indexEntries(pages, target.embedder);
    const present = await presentRows(site, left, deps.table);
    put.push(...(await putPresent(site, entries, present, target, deps)));
    left = left.flatMap(({ urlHash, revision }) => {
      const row = stored.has(urlHash) ? undefined : present.get(urlHash);
      return row && row.revision !== revision ? row : [];
    });
  }
  return put;
}

/**
 * Puts the entries of pages that exist. It checks their existence before and after: embedding may take long, and an
 * index that has forgotten a removal would accept the entry of a removed page.
 */
async function putPresent(
  site: SiteScope,
  entries: readonly IndexEntry[],
  present: ReadonlyMap<string, RegisteredPage>,
  { index }: RebuildTarget,
  { table }: RebuildDeps,
): Promise<readonly IndexEntry[]> {
  const toPut = entries.filter(({ urlHash }) => present.has(urlHash));
  if (toPut.length === 0) return [];
  await index.put(toPut, { visible: 'soon' });
  const stillPresent = await presentRows(site, [...present.values()], table);
  const removed = toPut.filter(({ urlHash }) => !stillPresent.has(urlHash));
  const entryRefs = removed.map(({ urlHash, revision }) => ({ ...site, urlHash, revision }));
  if (entryRefs.length > 0) await index.remove(entryRefs, { visible: 'soon' });
  return toPut;
}

/** Returns the rows of pages that the site still has, without those being removed. */
async function presentRows(
  site: SiteScope,
  pages: readonly PageIdentity[],
  table: Table,
): Promise<ReadonlyMap<string, RegisteredPage>> {
  const rows = await readRows(site, pages, table);
  const state = await table.get<SiteState>(stateKey(site.siteId));
  if (state?.generation !== site.generation) return new Map();
  return new Map([...rows].filter(([, { removing }]) => !removing));
}
