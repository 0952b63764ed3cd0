import { indexEntries } from '../../lambdas/domain/pages/index-entry.ts';
import type { Embedder } from '../../lambdas/domain/ports/embedder.ts';
import type { PageIndex } from '../../lambdas/domain/ports/page-index.ts';
import { type Hit, MAX_RESULTS } from '../../lambdas/domain/search/find-pages.ts';
import { matchPages } from '../../lambdas/domain/search/match-pages.ts';
import type { SearchResult } from '../../lambdas/domain/search/results/search-results.ts';
import type { Found } from '../../lambdas/domain/search/search-pages.ts';
import { DEFAULT_MIN_SCORE, DEFAULT_OPTIONS, type SearchRequest } from '../../lambdas/domain/search/search-request.ts';
import { searchSite } from '../../lambdas/domain/search/search-site.ts';
import type { SiteRecord } from '../../lambdas/domain/sites/site.ts';
import { NEW_CRAWLER_CONFIG, NEW_PUBLIC_ACCESS, NEW_REMOVAL_POLICY } from '../../lambdas/domain/sites/site-settings.ts';
import { urlHash } from '../../lambdas/text/web/url.ts';
import { newScope } from '../../test/support/index-entries.ts';
import type { Collection } from './relevance-collections.ts';
import { retryWhileBusy } from './retry-while-busy.ts';

/** The features that a search uses. */
export type Way = 'words' | 'vectors' | 'both';
export type IndexedSite = {
  search(query: string, way: Way): Promise<readonly SearchResult[]>;
  /** Searches by words and vectors, as a visitor does. */
  ask(request: Partial<SearchRequest> & Pick<SearchRequest, 'query'>): Promise<Found>;
  /** The chunks of the best 1,000 pages, with the evidence of their scores. */
  examined(query: string): Promise<readonly Hit[]>;
  readonly site: SiteRecord;
};

const SHOWN = 10;
const PAGES_AT_A_TIME = 50;

/** Indexes a collection as a separate site. Its searches return results of any score. */
export async function indexCollection(
  { pages }: Pick<Collection, 'pages'>,
  index: PageIndex,
  embedder: Embedder,
): Promise<IndexedSite> {
  const scope = newScope();
  const drafts = pages.map(({ url, content }) => ({ ...scope, row: rowOf(url), content }));
  for (let from = 0; from < drafts.length; from += PAGES_AT_A_TIME) {
    const entries = await indexEntries(drafts.slice(from, from + PAGES_AT_A_TIME), embedder);
    await retryWhileBusy(() => index.put(entries, { visible: 'now' }));
  }
  const site = siteOf(scope, [...new Set(pages.map(({ content }) => content.language ?? ''))]);
  const ways: Readonly<Record<Way, Parameters<typeof searchSite>[2]>> = {
    words: { index, embedder: { ...embedder, embedQuery: async () => undefined }, clock: Date.now },
    vectors: { index: byVectorAlone(index), embedder, clock: Date.now },
    both: { index, embedder, clock: Date.now },
  };
  const usual = { ...DEFAULT_OPTIONS, limit: SHOWN, offset: 0, minScore: DEFAULT_MIN_SCORE };
  const answer = async (request: SearchRequest, way: Way): Promise<Found> =>
    (await retryWhileBusy(() => searchSite(site, request, ways[way]))).response;
  return {
    search: async (query, way) => (await answer({ ...usual, query, minScore: 0 }, way)).results,
    ask: (request) => answer({ ...usual, ...request }, 'both'),
    examined: async (query) => {
      const request = { ...usual, query, minScore: 0, limit: MAX_RESULTS };
      return (await retryWhileBusy(() => matchPages([{ site, filters: [] }], request, ways.both))).chunks;
    },
    site,
  };
}

const byVectorAlone = (index: PageIndex): PageIndex => ({
  ...index,
  candidates: (query) => index.candidates({ ...query, terms: [] }),
});

const rowOf = (url: string) => ({
  url,
  urlHash: urlHash(url),
  title: '',
  tags: [],
  crawledAt: '2026-01-01T00:00:00.000Z',
  indexedAt: 0,
  source: 'crawl' as const,
  contentHash: '',
  textHash: '',
  revision: 1,
  chunks: 0,
});

export function siteOf({ siteId, generation }: ReturnType<typeof newScope>, languages: readonly string[]): SiteRecord {
  return {
    settings: {
      siteId,
      orgId: 'bench',
      version: 1,
      name: 'Bench',
      baseUrl: 'https://docs.example/',
      createdAt: 0,
      publicAccess: NEW_PUBLIC_ACCESS,
      rateLimits: {},
      crawlerConfig: NEW_CRAWLER_CONFIG,
      metadataSchema: [],
      tagBoosts: [],
      urlBoosts: [],
      removalPolicy: NEW_REMOVAL_POLICY,
    },
    state: { runningJobId: null, pageCount: 0, revision: 0, generation, languages },
  };
}
