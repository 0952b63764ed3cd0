import type { Clock } from '../clock.ts';
import type { IndexEntry, PageIndex, SiteScope } from '../ports/page-index.ts';
import type { PageStore, StoredPage } from '../ports/page-store.ts';
import type { Change, Table } from '../ports/table.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import type { PageToIndex } from './index-entry.ts';
import type { RegisteredPage } from './page-registry.ts';

export type PageDraft = {
  /** The row as it was read. The draft is written only if the registry still has this revision. */
  readonly before: RegisteredPage | undefined;
  readonly row: Omit<RegisteredPage, 'revision' | 'chunks' | 'pending' | 'removing' | 'unembedded'>;
  readonly page: StoredPage;
  /** Whether nothing searchable has changed: the index keeps its entry, with the older revision. */
  readonly keepsEntry?: boolean;
  readonly alsoWritten?: readonly Change[];
  /**
   * Pages that this one replaces, if the registry still has these rows. It takes over their share of the page quota.
   */
  readonly replaces?: readonly RegisteredPage[];
};

/** Makes index entries. `unembedded`: they have no vectors, because the embedder is unavailable. */
export type EntryMaker = (
  pages: readonly PageToIndex[],
) => Promise<{ readonly entries: readonly IndexEntry[]; readonly unembedded: boolean }>;

export type PageWriter = {
  readonly site: SiteScope;
  /**
   * Returns the first of `count` new revisions; undefined if the writer may no longer write. A writer may have reserved
   * them in advance, but not with `isFresh`.
   */
  readonly reserve: (count: number, isFresh?: boolean) => Promise<number | undefined>;
  readonly makeEntries: EntryMaker;
  readonly visible: 'now' | 'soon';
  /** Must hold in every write of the registry, in addition to the site's generation. */
  readonly guard?: Change;
  readonly maxPages?: number;
  /** The crawl that writes the pages, if any. A crawl finishes its own pending writes. */
  readonly jobId?: string;
};

export type PageDeps = {
  readonly table: Table;
  readonly pageStore: PageStore;
  readonly pageIndex: PageIndex;
  readonly clock: Clock;
};

/** Returns a writer without a lease, which may write while the site has this generation. */
export const siteWriter = (
  site: SiteScope,
  policy: Pick<PageWriter, 'makeEntries' | 'maxPages'>,
  table: Table,
): PageWriter => ({ site, reserve: (count) => reserveRevisions(site, count, table), visible: 'now', ...policy });

/** Returns the first of `count` new revisions; undefined if the site was deleted or purged, or a condition fails. */
export async function reserveRevisions(
  { siteId, generation }: SiteScope,
  count: number,
  table: Table,
  conditions: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const state = await table.update<SiteState>(stateKey(siteId), {
    add: { revision: count },
    when: { exists: true, equals: { generation, ...conditions } },
  });
  return state && state.revision - count + 1;
}
