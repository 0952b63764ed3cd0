import { UnavailableError } from '../errors.ts';
import { searchedLanguage } from '../language/searched-language.ts';
import type { PageIndex } from '../ports/page-index.ts';
import type { PageAddress, PageStore } from '../ports/page-store.ts';
import type { Change, Table } from '../ports/table.ts';
import { languageField, type SiteState, stateKey } from '../sites/site.ts';
import { metadataFacts } from './facts.ts';
import type { IndexedPage, PageToIndex } from './index-entry.ts';
import { pageKey, type RegisteredPage } from './page-registry.ts';
import type { StoredPage } from './stored-page.ts';

/** Each one more page was changed by another writer meanwhile, or the site's count of pages. */
const ATTEMPTS = 20;

/** Where pages are written, and how many the site may have. */
export type Target = {
  readonly siteId: string;
  readonly generation: number;
  readonly languages: readonly string[];
  readonly mostPages: number;
};

/** A page as it is to be, in place of its row as it was read. */
export type Draft = {
  readonly before: RegisteredPage | undefined;
  readonly row: Omit<RegisteredPage, 'revision' | 'chunks' | 'counted' | 'pending' | 'unembedded'>;
  readonly page: StoredPage;
};

/** Its row once it is searchable; or why it was not written: another writer was first, the site is full, it was purged or deleted. */
export type Written = RegisteredPage | Refusal;
export type Refusal = 'overtaken' | 'no_room' | 'site_changed';

/** Makes the entries of pages, and tells whether their vectors had to be left out. */
export type EntryMaker = (
  pages: readonly PageToIndex[],
) => Promise<{ readonly indexed: readonly IndexedPage[]; readonly unembedded: boolean }>;

export type WriteDeps = { readonly table: Table; readonly pageStore: PageStore; readonly pageIndex: PageIndex };

type Revised = Draft & IndexedPage;

/**
 * Writes up to 90 different pages, in this order: text; registry row with a higher revision, pending, and the site's count;
 * index; pending cleared. A row is written only over the one that was read, so of two writers at once one is told that it was overtaken.
 * A crash before the registry changes nothing; one after it leaves a pending row, which whoever writes the page next does not take for done.
 */
export async function writePages(
  drafts: readonly Draft[],
  target: Target,
  makeEntries: EntryMaker,
  deps: WriteDeps,
): Promise<readonly Written[]> {
  const pages = await revise(drafts, target, makeEntries, deps.table);
  if (!pages) return drafts.map(() => 'site_changed');
  const { siteId, generation } = target;
  const address = ({ urlHash, revision }: RegisteredPage): PageAddress => ({ siteId, generation, urlHash, revision });
  await deps.pageStore.put(pages.map(({ row, page }) => ({ address: address(row), page })));
  const refusals = await register(pages, target, deps.table);
  const isWritten = (_: unknown, place: number) => !refusals.has(place);
  const entries = pages.filter(isWritten).map(({ entry }) => entry);
  await deps.pageIndex.put(entries, { visible: 'now' });
  await Promise.all(pages.filter(isWritten).map(({ row }) => settle(row, target, deps)));
  const useless = pages.flatMap(({ before, row }, place) => (refusals.has(place) ? row : (before ?? [])));
  await dropTexts(useless.map(address), deps.pageStore);
  return pages.map(({ row }, place) => refusals.get(place) ?? row);
}

/** The pages with their revisions, and as they are indexed; undefined when the site is gone or was purged. */
async function revise(
  drafts: readonly Draft[],
  target: Target,
  makeEntries: EntryMaker,
  table: Table,
): Promise<readonly Revised[] | undefined> {
  const { siteId, generation } = target;
  const first = await reserveRevisions(drafts.length, target, table);
  if (first === undefined) return undefined;
  const { indexed, unembedded } = await makeEntries(
    drafts.map(({ row, page }, place) => ({
      siteId,
      generation,
      row: { ...row, revision: first + place, chunks: 0 },
      content: page,
      facts: metadataFacts(page.metadata),
    })),
  );
  return drafts.map((draft, place) => {
    const { row, entry } = indexed[place] as IndexedPage;
    return { ...draft, entry, row: { ...row, ...(unembedded && { unembedded }) } };
  });
}

/** The first of so many revisions; undefined when the site is gone or was purged. */
async function reserveRevisions(
  count: number,
  { siteId, generation }: Target,
  table: Table,
): Promise<number | undefined> {
  const state = await table.update<SiteState>(stateKey(siteId), {
    add: { revision: count },
    when: { exists: true, equals: { generation } },
  });
  return state && state.revision - count + 1;
}

/** Answers why pages were not registered, by their places. */
async function register(
  pages: readonly Revised[],
  target: Target,
  table: Table,
): Promise<ReadonlyMap<number, Refusal>> {
  const refusals = new Map<number, Refusal>();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const left = [...pages.entries()].filter(([place]) => !refusals.has(place));
    if (left.length === 0) return refusals;
    const site = siteChange(
      left.map(([, page]) => page),
      target,
    );
    const rows = new Map(left.map(([place, page]) => [place, rowChange(page, target)]));
    const refused = await table.write([site, ...rows.values()]);
    if (refused.length === 0) return refusals;
    for (const [place, row] of rows) if (refused.includes(row)) refusals.set(place, 'overtaken');
    if (refused.includes(site)) await refuseForSite(left, refusals, target, table);
  }
  for (const place of pages.keys()) if (!refusals.has(place)) refusals.set(place, 'overtaken');
  return refusals;
}

/** The site is gone or was purged, or has room for fewer new pages. */
async function refuseForSite(
  left: readonly (readonly [number, Revised])[],
  refusals: Map<number, Refusal>,
  { siteId, generation, mostPages }: Target,
  table: Table,
): Promise<void> {
  const state = await table.get<SiteState>(stateKey(siteId));
  const isSame = state?.generation === generation;
  const fresh = left.filter(([place, page]) => isNew(page) && !refusals.has(place));
  const tooMany = fresh.slice(Math.max(0, mostPages - (state?.pageCount ?? 0)));
  for (const [place] of isSame ? tooMany : left) refusals.set(place, isSame ? 'no_room' : 'site_changed');
}

/** Not in the site's count of pages yet. */
const isNew = ({ before }: Draft): boolean => !before?.counted;

function siteChange(pages: readonly Revised[], { siteId, generation, languages, mostPages }: Target): Change {
  const added = pages.filter(isNew).length;
  const found = new Set(pages.map(({ page }) => searchedLanguage(page.language)));
  const fields = [...found].filter((language) => !languages.includes(language)).map(languageField);
  return {
    update: stateKey(siteId),
    add: { pageCount: added },
    set: Object.fromEntries(fields.map((field) => [field, true])),
    when: {
      exists: true,
      equals: { generation },
      ...(added > 0 && { below: { pageCount: mostPages - added + 1 } }),
    },
  };
}

function rowChange({ before, row }: Revised, { siteId, generation }: Target): Change {
  return {
    put: { ...pageKey(siteId, generation, row), ...row, counted: true, pending: true },
    when: { equals: { revision: before?.revision ?? null, counted: before?.counted ?? null } },
  };
}

/** A row that another writer has overtaken is left to that one; a page that was deleted meanwhile leaves the index again. */
async function settle(
  row: RegisteredPage,
  { siteId, generation }: Target,
  { table, pageIndex }: WriteDeps,
): Promise<void> {
  const { urlHash, revision } = row;
  const key = pageKey(siteId, generation, row);
  if (await table.update(key, { unset: ['pending'], when: { equals: { revision } } })) return;
  if (await table.get(key)) return;
  await pageIndex.remove([{ siteId, generation, urlHash, revision }], { visible: 'now' });
}

/** A text that stays is one that nobody asks for; it goes with its site. */
async function dropTexts(addresses: readonly PageAddress[], pageStore: PageStore): Promise<void> {
  try {
    await pageStore.remove(addresses);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
}
