import type { RegisteredPage } from '../../pages/page-registry.ts';
import { readStoredPages } from '../../pages/stored-page.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { PageStoreReader, StoredPage } from '../../ports/page-store.ts';
import { matchPages } from '../../search/match-pages.ts';
import type { SearchDeps } from '../../search/search-pages.ts';
import { DEFAULT_MIN_SCORE } from '../../search/search-request.ts';
import type { SiteRecord } from '../../sites/site.ts';

/**
 * Number of pages that were searched by one of their own texts, that were the first result, and that were in the first
 * ten.
 */
export type FoundItself = { readonly searched: number; readonly first: number; readonly firstTen: number };
export type Miss = { readonly url: string; readonly query: string; readonly rank: number | null };

export type SelfCheck = {
  readonly byTitle: FoundItself;
  readonly byHeading: FoundItself;
  /** Pages that were not in the first ten. */
  readonly misses: readonly Miss[];
};

const SAMPLE_SIZE = 50;
/** Smaller, because each page is searched twice, and with a provider the organisation pays for each search. */
const PAID_SAMPLE_SIZE = 5;

/** Returns the number of pages that a self-check searches. */
export const sampleSize = ({ isFree }: Pick<Embedder, 'isFree'>): number => (isFree ? SAMPLE_SIZE : PAID_SAMPLE_SIZE);

const FIRST_RESULTS = 10;
const MAX_MISSES = 20;
/** Searches reject longer queries. */
const MAX_QUERY_LENGTH = 300;

type Deps = Pick<SearchDeps, 'index' | 'embedder'> & { readonly pageStore: PageStoreReader };

/** Searches pages by their own title and first heading, as a visitor would. These searches are not counted. */
export async function selfCheck(
  rows: readonly RegisteredPage[],
  site: SiteRecord,
  { pageStore, ...deps }: Deps,
): Promise<SelfCheck> {
  const scope = { siteId: site.settings.siteId, generation: site.state.generation };
  const texts = await readStoredPages(scope, rows, pageStore);
  const misses: Miss[] = [];
  const searched = async (queryOf: (row: RegisteredPage) => string | undefined): Promise<FoundItself> => {
    const found = { searched: 0, first: 0, firstTen: 0 };
    for (const row of rows) {
      const query = queryOf(row)?.trim().slice(0, MAX_QUERY_LENGTH);
      if (!query) continue;
      const rank = await rankOf(row, query, site, deps);
      found.searched++;
      if (rank === 1) found.first++;
      if (rank !== null && rank <= FIRST_RESULTS) found.firstTen++;
      else if (misses.length < MAX_MISSES) misses.push({ url: row.url, query, rank });
    }
    return found;
  };
  const byTitle = await searched(({ title }) => title);
  const byHeading = await searched(({ urlHash }) => headingOf(texts.get(urlHash)));
  return { byTitle, byHeading, misses };
}

const headingOf = (page: StoredPage | undefined): string | undefined =>
  page?.blocks.find((block) => block.kind === 'heading')?.text;

async function rankOf(
  { urlHash }: RegisteredPage,
  query: string,
  site: SiteRecord,
  deps: Omit<Deps, 'pageStore'>,
): Promise<number | null> {
  const request = { query, minScore: DEFAULT_MIN_SCORE, limit: FIRST_RESULTS, offset: 0 };
  const { pages } = await matchPages([{ site, filters: [] }], request, deps);
  const index = pages.findIndex(({ ref }) => ref.urlHash === urlHash);
  return index < 0 ? null : index + 1;
}
