import type { IndexEntry, SiteScope } from '../ports/page-index.ts';
import type { PageStore } from '../ports/page-store.ts';
import type { Key, TableReader } from '../ports/table.ts';
import { pageKey, type RegisteredPage, readRows } from './page-registry.ts';
import type { PageDeps, PageDraft, PageWriter } from './page-writer.ts';
import { endPendingWrites, pendingKey } from './pending-writes.ts';
import { type PreparedPage, registerPages } from './register-pages.ts';
import { type MarkedPage, markedPage, removeMarkedPages } from './remove-pages.ts';
import { dropStoredPages, pageAddress } from './stored-page.ts';
import type { Refusal } from './write-unrefused.ts';

/*
 * Every writer (crawl, ingest, adding vectors later, refilling fields) writes a page in this order:
 *
 *   1. It stores the text (`StoredPage`) under a revision of the site that no other write has.
 *   2. It replaces the registry row that it read with a row that has this revision and `pending`. The same transaction
 *      changes the site's page count, writes an item that names the pages (pending-writes.ts), and checks the writer's
 *      right to write.
 *   3. It writes the index entry with this revision, which an index ignores if it has a newer one. It removes the
 *      replaced text.
 *   4. It clears `pending` if the row still has this revision, then removes the item of step 2.
 *
 * A crash before step 2 leaves a text to which no row refers. The collection of unused texts removes it
 * (collect-texts.ts). A crash after step 2 leaves a pending row. The watchdog finishes it some minutes later
 * (finish-writes.ts). A writer of the page that comes earlier does not regard a pending row as up to date and writes
 * the page again (crawl/fetch/stored-pages.ts, crawl/commit/classify-pages.ts and pages/ingest/ingest-item.ts check
 * this).
 *
 * If two writers write a page at once, one of them finds another row than it read: it is overtaken. The writer of a new
 * page is also overtaken if others have written and removed the page since, because an index that remembers the removal
 * would ignore the entry. Pages are removed in the reverse order (remove-pages.ts). Reasons:
 * docs/decisions/008-page-writes.md.
 */

/** Maximum number of attempts. Sweeps of a site are minutes apart, so a second one in a row is rare. */
const ATTEMPTS = 3;
/** A write takes longer only if the process was suspended. */
const LATE_MS = 20_000;

/** The row of a page whose entry is in the index, or the reason why the page was not written. */
export type Written = RegisteredPage | Refusal;
type WrittenPages = ReadonlyMap<PageDraft, Written>;

export type StagedPages = {
  readonly written: WrittenPages;
  /** The items that name the pages. Remove them after step 4. */
  readonly pending: readonly Key[];
};

/**
 * Writes different pages in steps 1 to 4: at most 45, with keys 32, with `replaces` 15, fewer with `alsoWritten`.
 * Replaced pages are removed last: until then both are found, and after a crash the watchdog removes them.
 */
export async function writePages(
  drafts: readonly PageDraft[],
  writer: PageWriter,
  deps: PageDeps,
): Promise<WrittenPages> {
  const prepared = await preparePages(drafts, writer, deps.pageStore);
  if (!prepared) return new Map(drafts.map((draft) => [draft, 'revoked']));
  const { written, pending } = await stagePages(prepared, writer, deps);
  const rows = [...written.values()].filter((row) => typeof row === 'object');
  await Promise.all(rows.map((row) => settle(row, writer, deps)));
  await removeMarkedPages([...written].flatMap(replacedBy), writer, deps);
  await endPendingWrites(pending, deps.table);
  return written;
}

/** Returns the pages that step 2 marked for removal in favour of this one. */
const replacedBy = ([{ replaces = [] }, row]: readonly [PageDraft, Written]): readonly MarkedPage[] =>
  typeof row === 'object' ? replaces.map((replaced) => markedPage(replaced, row.revision)) : [];

/**
 * Runs steps 2 and 3 on pages from `preparePages`, for a writer that includes step 4 (`settledRow`) in its own write.
 * After a failure, prepare the pages again.
 */
export async function stagePages(
  prepared: readonly PreparedPage[],
  writer: PageWriter,
  deps: PageDeps,
): Promise<StagedPages> {
  const { pageStore, pageIndex } = deps;
  const begunAt = deps.clock();
  const staged = await registered(prepared, writer, deps);
  if (!staged) return { written: new Map(prepared.map(({ draft }) => [draft, 'revoked'] as const)), pending: [] };
  const { pages, refusals } = staged;
  const made = pages.flatMap((page) => (page.entry && !refusals.has(page) ? page.entry : []));
  const isLate = Math.abs(deps.clock() - begunAt) > LATE_MS;
  const entries = isLate ? await stillRegistered(made, writer.site, deps.table) : made;
  const unused = pages.flatMap((page) => (refusals.has(page) ? page.row : (page.draft.before ?? [])));
  await Promise.all([
    entries.length > 0 ? pageIndex.put(entries, { visible: writer.visible }) : undefined,
    dropStoredPages(
      unused.map((row) => pageAddress(writer.site, row)),
      pageStore,
    ),
  ]);
  const written = new Map(pages.map((page) => [page.draft, refusals.get(page) ?? page.row] as const));
  return { written, pending: refusals.size < pages.length ? [pendingKey(batchOf(pages, writer))] : [] };
}

/**
 * Returns the entries that are still registered. After a pause of the process, others may have written or removed
 * pages.
 */
async function stillRegistered(
  entries: readonly IndexEntry[],
  site: SiteScope,
  table: TableReader,
): Promise<readonly IndexEntry[]> {
  const rows = await readRows(site, entries, table);
  return entries.filter(({ urlHash, revision }) => rows.get(urlHash)?.revision === revision);
}

/** Returns step 4 as a change. Refused if another writer has changed the page. */
export const settledRow = ({ siteId, generation }: SiteScope, row: RegisteredPage) => ({
  update: pageKey(siteId, generation, row),
  unset: ['pending'],
  when: { equals: { revision: row.revision } },
});

/**
 * Runs step 1 and makes the entries for step 3. Returns undefined if the writer may no longer write. May be repeated.
 */
export async function preparePages(
  drafts: readonly PageDraft[],
  { site, reserve, makeEntries }: PageWriter,
  pageStore: PageStore,
): Promise<readonly PreparedPage[] | undefined> {
  if (drafts.length === 0) return [];
  const first = await reserve(drafts.length);
  if (first === undefined) return undefined;
  const revised = drafts.map((draft, index) => ({ draft, row: { ...draft.row, revision: first + index } }));
  const toIndex = revised.flatMap(({ draft: { keepsEntry, page }, row }) =>
    keepsEntry ? [] : { ...site, row, content: page },
  );
  const [, { entries, unembedded }] = await Promise.all([
    storeTexts(revised, site, pageStore),
    toIndex.length > 0 ? makeEntries(toIndex) : { entries: [], unembedded: false },
  ]);
  const entryOf = new Map(entries.map((entry) => [entry.urlHash, entry]));
  return revised.map(({ draft, row }) => {
    const entry = entryOf.get(row.urlHash);
    if (!entry) return { draft, row: { ...row, chunks: draft.before?.chunks ?? 0 }, entry };
    const { truncated: _, ...others } = row;
    const marks = { ...(entry.truncated && { truncated: true }), ...(unembedded && { unembedded }) };
    return { draft, row: { ...others, chunks: entry.chunks.length, ...marks }, entry };
  });
}

/** Runs step 1 again, because a sweep may have removed the texts before their pages were registered. */
async function revisePages(
  pages: readonly PreparedPage[],
  { site, reserve }: PageWriter,
  pageStore: PageStore,
): Promise<readonly PreparedPage[] | undefined> {
  const first = await reserve(pages.length, true);
  if (first === undefined) return undefined;
  const revised = pages.map(({ draft, row, entry }, index) => {
    const revision = first + index;
    return { draft, row: { ...row, revision }, entry: entry && { ...entry, revision } };
  });
  await storeTexts(revised, site, pageStore);
  return revised;
}

const storeTexts = (
  pages: readonly { readonly draft: PageDraft; readonly row: Pick<RegisteredPage, 'urlHash' | 'revision'> }[],
  site: SiteScope,
  pageStore: PageStore,
): Promise<void> =>
  pageStore.put(pages.map(({ draft, row }) => ({ address: pageAddress(site, row), page: draft.page })));

type Registration = {
  readonly pages: readonly PreparedPage[];
  readonly refusals: ReadonlyMap<PreparedPage, Refusal>;
};

/**
 * Runs step 2, again if a sweep of unused texts came in between. Returns undefined if the writer may no longer write.
 */
async function registered(
  prepared: readonly PreparedPage[],
  writer: PageWriter,
  deps: PageDeps,
): Promise<Registration | undefined> {
  let pages: typeof prepared | undefined = prepared;
  for (let attempt = 1; pages; attempt++) {
    const refusals = await registerPages(pages, batchOf(pages, writer), deps);
    if (refusals !== 'swept') return { pages, refusals };
    const addresses = pages.map(({ row }) => pageAddress(writer.site, row));
    await dropStoredPages(addresses, deps.pageStore);
    if (attempt === ATTEMPTS) return { pages, refusals: new Map(pages.map((page) => [page, 'overtaken'])) };
    pages = await revisePages(pages, writer, deps.pageStore);
  }
  return undefined;
}

const batchOf = (pages: readonly PreparedPage[], writer: PageWriter) => ({
  ...writer,
  firstRevision: pages[0]?.row.revision ?? 0,
});

/**
 * Runs step 4. Ignores a row that another writer has replaced. If the page was removed since, removes its entry too.
 */
export async function settle(
  row: RegisteredPage,
  { site, visible }: Pick<PageWriter, 'site' | 'visible'>,
  { table, pageIndex }: PageDeps,
): Promise<void> {
  const { update: key, ...change } = settledRow(site, row);
  if (await table.update(key, change)) return;
  const present = (await readRows(site, [row], table)).get(row.urlHash);
  if (present && !present.removing) return;
  await pageIndex.remove([{ ...site, urlHash: row.urlHash, revision: row.revision }], { visible });
}
