import type { Embedder } from '../ports/embedder.ts';
import type { PageIndex, SiteScope } from '../ports/page-index.ts';
import type { PageStore } from '../ports/page-store.ts';
import type { Table } from '../ports/table.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import { indexEntries } from './index-entry.ts';
import { type PageIdentity, type RegisteredPage, readRows } from './page-registry.ts';
import { readTexts } from './stored-page.ts';

/** A page needs another attempt when it got a new revision, and with it a new text, before its text was read. */
const ATTEMPTS = 3;

type RebuildDeps = { readonly table: Table; readonly pageStore: PageStore };

/**
 * Puts the entries of registered pages into an index, from rows and texts: step 3 of write-pages.ts alone. Repeating it is harmless,
 * and so is a page that is written or removed meanwhile, if its writer writes to this index too: it has a higher revision.
 */
export async function rebuildEntries(
  site: SiteScope,
  rows: readonly RegisteredPage[],
  target: { readonly index: PageIndex; readonly embedder: Embedder },
  deps: RebuildDeps,
): Promise<void> {
  let left = rows;
  for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt++) {
    const texts = await readTexts(site, left, deps.pageStore);
    const pages = left.flatMap((row) => {
      const content = texts.get(row.urlHash);
      return content ? [{ ...site, row, content }] : [];
    });
    const entries = await indexEntries(pages, target.embedder);
    // Embedding may take long, and an index remembers a removal for minutes only: it would accept an entry of a removed page.
    const present = await presentRows(site, left, deps.table);
    const toPut = entries.filter(({ urlHash }) => present.has(urlHash));
    if (toPut.length > 0) await target.index.put(toPut, { visible: 'soon' });
    left = left.flatMap(({ urlHash, revision }) => {
      const row = texts.has(urlHash) ? undefined : present.get(urlHash);
      return row && row.revision !== revision ? row : [];
    });
  }
}

/** The rows of those pages that the site still has. */
async function presentRows(
  site: SiteScope,
  pages: readonly PageIdentity[],
  table: Table,
): Promise<ReadonlyMap<string, RegisteredPage>> {
  const rows = await readRows(site, pages, table);
  const state = await table.get<SiteState>(stateKey(site.siteId));
  return state?.generation === site.generation ? rows : new Map();
}
