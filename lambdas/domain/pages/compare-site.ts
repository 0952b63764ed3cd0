import { chunkPage } from '../../text/chunking/chunks.ts';
import { defined } from '../../text/defined.ts';
import type { PageIndex, SiteScope } from '../ports/page-index.ts';
import type { PageStore } from '../ports/page-store.ts';
import type { Listing, Table } from '../ports/table.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import { everyPage, type RegisteredPage } from './page-registry.ts';
import { pendingWritesOf } from './pending-writes.ts';
import { readStoredPages } from './stored-page.ts';

/** `outdated`: the entry has another title or text. `notRegistered`: no row names the entry. */
export const PAGE_FAULTS = ['pending', 'textMissing', 'notIndexed', 'outdated', 'notRegistered'] as const;
export type PageFault = (typeof PAGE_FAULTS)[number];

/** A page whose row, text and entry disagree. An entry that is not registered has no row. */
export type FaultyPage = {
  readonly fault: PageFault;
  readonly url: string;
  readonly urlHash: string;
  readonly row?: RegisteredPage;
  /** The revision of the page's entry in the index. */
  readonly indexedRevision?: number;
};

export type SiteComparison = SiteScope & {
  /** The numbers of rows, of their texts and of entries, and the page count in the site's state. */
  readonly pages: number;
  readonly texts: number;
  readonly entries: number;
  readonly pageCount: number;
  /** Whether pages were written during the comparison, which may explain a difference in counts. */
  readonly isBusy: boolean;
  readonly faulty: readonly FaultyPage[];
};

export type CompareDeps = { readonly table: Table; readonly pageStore: PageStore; readonly pageIndex: PageIndex };

const PER_READ = 500;

type Entry = { readonly url: string; readonly revision: number };

/** Compares a site's registry, page store and index. Returns undefined if the site does not exist. */
export async function compareSite(siteId: string, deps: CompareDeps): Promise<SiteComparison | undefined> {
  const { table, pageStore, pageIndex } = deps;
  const state = await table.get<SiteState>(stateKey(siteId));
  if (!state) return undefined;
  const site = { siteId, generation: state.generation };
  await pageIndex.refresh();
  const stored = new Set<string>();
  for await (const address of every((range) => pageStore.list(site, range))) stored.add(textName(address));
  const entries = new Map<string, Entry>();
  for await (const { urlHash, ...entry } of every((range) => pageIndex.find(site, { text: '', ...range })))
    entries.set(urlHash, entry);
  const faulty: FaultyPage[] = [];
  const unregistered = new Map(entries);
  const crawled = await crawledPages(siteId, state, table);
  let [pages, texts] = [0, 0];
  for await (const row of everyPage(site, table)) {
    pages++;
    unregistered.delete(row.urlHash);
    const hasText = stored.has(textName(row));
    if (hasText) texts++;
    const isCrawled = crawled.has(crawledName(row));
    const fault = await faultOf(row, { hasText, isCrawled, entry: entries.get(row.urlHash) }, site, deps);
    const indexedRevision = entries.get(row.urlHash)?.revision;
    const { url, urlHash } = row;
    if (fault) faulty.push({ fault, url, urlHash, row, ...defined({ indexedRevision }) });
  }
  for (const [urlHash, { url, revision }] of unregistered)
    faulty.push({ fault: 'notRegistered', url, urlHash, indexedRevision: revision });
  const after = await table.get<SiteState>(stateKey(siteId));
  const isBusy = after?.revision !== state.revision || after.generation !== state.generation;
  return { ...site, pages, texts, entries: entries.size, pageCount: state.pageCount, isBusy, faulty };
}

/**
 * Returns the pages that a running crawl has written and will settle itself. Until then they are pending, but
 * searchable.
 */
async function crawledPages(
  siteId: string,
  { runningJobId }: Pick<SiteState, 'runningJobId'>,
  table: Table,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  if (runningJobId === null) return names;
  for await (const { jobId, pages } of pendingWritesOf(siteId, table))
    if (jobId === runningJobId) for (const page of pages) names.add(crawledName(page));
  return names;
}

const crawledName = ({ url, revision }: Pick<RegisteredPage, 'url' | 'revision'>): string => `${url} ${revision}`;

const textName = ({ urlHash, revision }: { readonly urlHash: string; readonly revision: number }): string =>
  `${urlHash}/${revision}`;

/** Yields all items of a paginated list. */
async function* every<T>(
  list: (range: { readonly limit: number; readonly after?: string }) => Promise<Listing<T>>,
): AsyncGenerator<T> {
  let after: string | undefined;
  do {
    const { items, next } = await list({ limit: PER_READ, ...defined({ after }) });
    yield* items;
    after = next;
  } while (after !== undefined);
}

async function faultOf(
  row: RegisteredPage,
  {
    hasText,
    isCrawled,
    entry,
  }: { readonly hasText: boolean; readonly isCrawled: boolean; readonly entry: Entry | undefined },
  site: SiteScope,
  deps: CompareDeps,
): Promise<PageFault | undefined> {
  if (row.pending && (row.removing || !isCrawled)) return 'pending';
  if (!hasText) return 'textMissing';
  if (!entry) return 'notIndexed';
  if (entry.revision === row.revision) return undefined;
  return (await isSameText(row, site, deps)) ? undefined : 'outdated';
}

/**
 * Returns whether stored page and index entry have the same text. A page of which only links or validators changed
 * keeps its entry, which then has a lower revision.
 */
async function isSameText(
  row: RegisteredPage,
  site: SiteScope,
  { pageStore, pageIndex }: CompareDeps,
): Promise<boolean> {
  const page = (await readStoredPages(site, [row], pageStore)).get(row.urlHash);
  if (!page) return false;
  const texts = chunkPage(page.blocks).map(({ text }) => text);
  const refs = [...texts, ''].map((_, ord) => ({ ...site, urlHash: row.urlHash, ord }));
  const passages = await pageIndex.passages(refs);
  return refs.every(({ ord }) => passages[ord]?.text === texts[ord]) && passages[0]?.title === page.title;
}
