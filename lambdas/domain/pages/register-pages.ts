import { searchedLanguage } from '../../text/words/searched-language.ts';
import type { IndexEntry, SiteScope } from '../ports/page-index.ts';
import type { Change, Table } from '../ports/table.ts';
import { languageField, type SiteState, stateKey } from '../sites/site.ts';
import { keyChanges } from './page-keys.ts';
import { pageKey, type RegisteredPage, removalKey } from './page-registry.ts';
import type { PageDeps, PageDraft, PageWriter } from './page-writer.ts';
import { pendingItem } from './pending-writes.ts';
import { markedPage, markedRow } from './remove-pages.ts';
import { type Refusal, writeUnrefused } from './write-unrefused.ts';

/** A page whose text is stored under the revision of its row. */
export type PreparedPage = {
  readonly draft: PageDraft;
  readonly row: RegisteredPage;
  readonly entry: IndexEntry | undefined;
};

type Batch = PageWriter & { readonly firstRevision: number };

/**
 * Runs step 2 of write-pages.ts. Returns the pages that were not registered, with the reason. `swept`: none was
 * registered, because a collection of unused texts began after their revisions were reserved (collect-texts.ts).
 */
export async function registerPages(
  pages: readonly PreparedPage[],
  batch: Batch,
  { table, clock }: PageDeps,
): Promise<ReadonlyMap<PreparedPage, Refusal> | 'swept'> {
  const { siteId, generation } = batch.site;
  const changes = ({ draft: { before, alsoWritten = [], replaces = [] }, row }: PreparedPage): readonly Change[] => [
    {
      put: { ...pageKey(siteId, generation, row), ...row, pending: true },
      when: { equals: { revision: before?.revision ?? null } },
    },
    ...keyChanges(batch.site, before, row),
    ...replaces.map((replaced) => markedRow(batch.site, markedPage(replaced, row.revision))),
    ...alsoWritten,
  ];
  const notRemoved = new Map(
    pages.filter(isNew).map((page): [PreparedPage, Change] => {
      const when = { below: { revision: page.row.revision } };
      return [page, { check: removalKey(siteId, generation, page.row), when }];
    }),
  );
  // While no page of the site was removed with a higher revision, one condition on the site replaces these checks.
  let checksEach = false;
  let isSwept = false;
  const refusals = await writeUnrefused(
    {
      changesOf: new Map(pages.map((page) => [page, changes(page)])),
      shared: (left) => [
        ...(batch.guard ? [batch.guard] : []),
        siteChange(left, batch, { checksEach }),
        { put: pendingItem(batch, left.flatMap(asPending), clock) },
        ...(checksEach ? left.flatMap((page) => notRemoved.get(page) ?? []) : []),
      ],
      refuse: async (left, refused) => {
        const removed = left.filter((page) => refused.some((change) => change === notRemoved.get(page)));
        if (removed.length > 0) return new Map(removed.map((page) => [page, 'overtaken']));
        const state = await table.get<SiteState>(stateKey(siteId));
        const refusal = refuseForSite(left, refused, batch, state);
        isSwept = refusal === 'swept';
        if (refusal === 'swept') return new Map(left.map((page) => [page, 'overtaken']));
        if (refusal.size > 0 || checksEach || (state?.lastRemoval ?? 0) < batch.firstRevision) return refusal;
        checksEach = true; // the checks refuse removals after this read
        const gone = await removedPages(left.filter(isNew), batch.site, table);
        return new Map(gone.map((page) => [page, 'overtaken']));
      },
    },
    table,
  );
  return isSwept ? 'swept' : refusals;
}

/** Returns the pages that were removed with their own or a higher revision. */
async function removedPages(
  pages: readonly PreparedPage[],
  { siteId, generation }: SiteScope,
  table: Table,
): Promise<readonly PreparedPage[]> {
  const keys = pages.map(({ row }) => removalKey(siteId, generation, row));
  const removals = await table.getMany<{ readonly revision: number }>(keys);
  return pages.filter(({ row }, i) => (removals[i]?.revision ?? 0) >= row.revision);
}

const asPending = ({ row, draft: { keepsEntry = false, replaces = [] } }: PreparedPage) => [
  { row, keepsEntry },
  ...replaces.map((replaced) => markedPage(replaced, row.revision)),
];

const isNew = ({ draft }: PreparedPage): boolean => draft.before === undefined;

const takesRoom = (page: PreparedPage): boolean => isNew(page) && (page.draft.replaces ?? []).length === 0;

function siteChange(
  pages: readonly PreparedPage[],
  { site, maxPages, firstRevision }: Batch,
  { checksEach }: { readonly checksEach: boolean },
): Change {
  const added = pages.filter(isNew).length;
  const grown = pages.filter(takesRoom).length;
  const languages = pages.map(({ draft }) => languageField(searchedLanguage(draft.page.language)));
  return {
    update: stateKey(site.siteId),
    add: { pageCount: added },
    set: Object.fromEntries(languages.map((language) => [language, true] as const)),
    when: {
      exists: true,
      equals: { generation: site.generation },
      below: {
        sweptTo: firstRevision,
        ...(grown > 0 && maxPages !== undefined && { pageCount: maxPages - grown + 1 }),
        ...(added > 0 && !checksEach && { lastRemoval: firstRevision }),
      },
    },
  };
}

/**
 * Returns refusals that concern the site: the writer may no longer write, a sweep came in between, or there is no room
 * for all new pages.
 */
function refuseForSite(
  left: readonly PreparedPage[],
  refused: readonly Change[],
  { site, guard, maxPages = Number.POSITIVE_INFINITY, firstRevision }: Batch,
  state: SiteState | undefined,
): ReadonlyMap<PreparedPage, Refusal> | 'swept' {
  const isRevoked = guard !== undefined && refused.includes(guard);
  if (isRevoked || state?.generation !== site.generation) return new Map(left.map((page) => [page, 'revoked']));
  if (state.sweptTo !== undefined && state.sweptTo >= firstRevision) return 'swept';
  const room = Math.max(0, maxPages - state.pageCount);
  return new Map(
    left
      .filter(takesRoom)
      .slice(room)
      .map((page) => [page, 'no_room']),
  );
}
