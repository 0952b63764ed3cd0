import { epochSeconds } from '../clock.ts';
import type { SiteScope } from '../ports/page-index.ts';
import type { Change } from '../ports/table.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import { keyChanges } from './page-keys.ts';
import { pageKey, REMEMBERED_SECONDS, type RegisteredPage, removalKey } from './page-registry.ts';
import type { PageDeps, PageWriter } from './page-writer.ts';
import { endPendingWrites, pendingItem, pendingKey } from './pending-writes.ts';
import { dropStoredPages, pageAddress } from './stored-page.ts';
import { type Refusal, writeUnrefused } from './write-unrefused.ts';

/*
 * A page is removed in the reverse order of write-pages.ts:
 *
 *   1. Its registry row gets a higher revision, `pending` and `removing`, if it is still the row that was read. The
 *      same transaction writes an item that names the pages; it is removed after step 3 (pending-writes.ts).
 *   2. The index entry is removed with that revision, and so is the text. An index remembers the revision for minutes,
 *      so that the entry of an overtaken writer does not return.
 *   3. The row is removed and the site's page count is lowered in one transaction, if the row still has the revision of
 *      step 1. The registry keeps that revision for writers of the same page that began before.
 *
 * A crash leaves a pending row. The watchdog completes the removal (finish-writes.ts), and so does another removal of
 * the page; another write of the page replaces the row. A writer that comes in between wins: the row then has another
 * revision, so step 3 is refused.
 */

export type RemovalRequest = Pick<PageWriter, 'site' | 'visible' | 'guard'>;

export type MarkedPage = {
  readonly row: RegisteredPage;
  /** The revision of the page's text, which is that of the row before it was marked. */
  readonly textRevision: number;
  /** Changes that are written when the row is removed. If one of them is refused, the row stays. */
  readonly alsoWritten?: readonly Change[];
};

/** The result of a removal. Only the caller that removed the page gets its number of chunks. */
export type Removed = { readonly chunks: number } | Refusal;

/** Maximum number of pages in one call of `removePages`. */
export const MAX_REMOVED = 32;

/** Removes pages, given by their rows as they were read. */
export async function removePages(
  rows: readonly RegisteredPage[],
  remover: RemovalRequest & Pick<PageWriter, 'reserve'>,
  deps: PageDeps,
): Promise<ReadonlyMap<RegisteredPage, Removed>> {
  if (rows.length === 0) return new Map();
  const first = await remover.reserve(rows.length);
  if (first === undefined) return new Map(rows.map((row) => [row, 'revoked'] as const));
  const marked = new Map(rows.map((row, index) => [row, markedPage(row, first + index)] as const));
  const batch = { site: remover.site, firstRevision: first };
  const refusals = await markPages(marked, { ...remover, ...batch }, deps);
  const pages = rows.flatMap((row) => (refusals.has(row) ? [] : (marked.get(row) ?? [])));
  const removed = await removeMarkedPages(pages, remover, deps);
  if (pages.length > 0) await endPendingWrites([pendingKey(batch)], deps.table);
  const result = (row: RegisteredPage): Removed => {
    const page = marked.get(row);
    return refusals.get(row) ?? (page && removed.get(page)) ?? 'overtaken';
  };
  return new Map(rows.map((row) => [row, result(row)] as const));
}

export const markedPage = (row: RegisteredPage, revision: number): MarkedPage => ({
  row: { ...row, revision, pending: true, removing: true },
  textRevision: row.revision,
});

/** Returns step 1 as a change for the remover's own write. Refused if another writer has changed the page. */
export const markedRow = ({ siteId, generation }: SiteScope, { row, textRevision }: MarkedPage): Change => ({
  update: pageKey(siteId, generation, row),
  set: { pending: true, removing: true, revision: row.revision },
  when: { equals: { revision: textRevision } },
});

function markPages(
  marked: ReadonlyMap<RegisteredPage, MarkedPage>,
  remover: RemovalRequest & { readonly firstRevision: number },
  { table, clock }: PageDeps,
): Promise<ReadonlyMap<RegisteredPage, Refusal>> {
  const { site, guard } = remover;
  const check = { check: stateKey(site.siteId), when: { exists: true, equals: { generation: site.generation } } };
  return writeUnrefused(
    {
      changesOf: new Map([...marked].map(([row, page]) => [row, [markedRow(site, page)]])),
      shared: (left) => [
        ...(guard ? [guard] : []),
        check,
        {
          put: pendingItem(
            remover,
            left.flatMap((row) => marked.get(row) ?? []),
            clock,
          ),
        },
      ],
      refuse: async (left) => new Map(left.map((row) => [row, 'revoked'])),
    },
    table,
  );
}

/** Runs steps 2 and 3. May be repeated after an error. */
export async function removeMarkedPages(
  pages: readonly MarkedPage[],
  { site, visible, guard }: RemovalRequest,
  { table, pageStore, pageIndex, clock }: PageDeps,
): Promise<ReadonlyMap<MarkedPage, Removed>> {
  if (pages.length === 0) return new Map();
  const { siteId, generation } = site;
  const stored = pages.map(({ row, textRevision }) => pageAddress(site, { ...row, revision: textRevision }));
  await Promise.all([
    pageIndex.remove(
      pages.map(({ row }) => pageAddress(site, row)),
      { visible },
    ),
    dropStoredPages(stored, pageStore),
  ]);
  const expiresAt = epochSeconds(clock) + REMEMBERED_SECONDS;
  const changes = ({ row, alsoWritten = [] }: MarkedPage): readonly Change[] => [
    { remove: pageKey(siteId, generation, row), when: { equals: { revision: row.revision } } },
    { put: { ...removalKey(siteId, generation, row), revision: row.revision, expiresAt } },
    ...keyChanges(site, row, undefined),
    ...alsoWritten,
  ];
  const last = Math.max(...pages.map(({ row }) => row.revision));
  let isLast = true;
  const refusals = await writeUnrefused(
    {
      changesOf: new Map(pages.map((page) => [page, changes(page)])),
      shared: (left) => [...(guard ? [guard] : []), uncount(site, left.length, isLast ? last : undefined)],
      refuse: async (left, refused) => {
        const state = await table.get<SiteState>(stateKey(siteId));
        const isRevoked = (guard && refused.includes(guard)) || state?.generation !== generation;
        if (isRevoked || !isLast) return new Map(left.map((page) => [page, 'revoked']));
        isLast = (state.lastRemoval ?? 0) < last; // a page with a higher revision was removed since
        return new Map();
      },
    },
    table,
  );
  return new Map(pages.map((page) => [page, refusals.get(page) ?? { chunks: page.row.chunks }] as const));
}

const uncount = ({ siteId, generation }: SiteScope, pages: number, lastRemoval: number | undefined): Change => ({
  update: stateKey(siteId),
  add: { pageCount: -pages },
  ...(lastRemoval !== undefined && { set: { lastRemoval } }),
  when: { exists: true, equals: { generation }, ...(lastRemoval !== undefined && { below: { lastRemoval } }) },
});
