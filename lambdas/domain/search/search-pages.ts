import { type Clock, steadyClock } from '../clock.ts';
import type { SiteRecord, SiteSettings } from '../sites/site.ts';
import type { CarriedFieldDeps } from './carried-fields.ts';
import { closestPages } from './closest-pages.ts';
import { FIRST_RESULTS, type FoundPages } from './find-pages.ts';
import { type MatchDeps, matchPages, shownOf } from './match-pages.ts';
import type { Correction } from './query/query-plan.ts';
import { type Facet, facetsAmong, facetsInIndex, facetsOf } from './results/facet-counts.ts';
import { type SearchResult, shownResults } from './results/search-results.ts';
import { DEFAULT_MIN_SCORE, type SearchRequest } from './search-request.ts';
import { type SearchedSite, scopesOf } from './searched-site.ts';

export type SearchDeps = MatchDeps & CarriedFieldDeps & { readonly clock: Clock };

/** The fields of every search response. */
export type Found<Result extends SearchResult = SearchResult> = {
  readonly query: string;
  readonly results: readonly Result[];
  /** Exact up to 100. */
  readonly totalResults: number;
  readonly totalIsLowerBound?: true;
  readonly corrections?: readonly Correction[];
  readonly phraseDropped?: true;
  readonly facets?: readonly Facet[];
  /** If no page reached `minScore`: at most three pages below it, best first; absent if none is near. */
  readonly closest?: readonly Result[];
  readonly timingMs: number;
};

/** Returns the pages of the sites that match a query, best first. If the embedder fails, words alone decide. */
export async function searchPages<Result extends SearchResult>(
  sites: readonly SearchedSite[],
  request: SearchRequest,
  resultOf: (result: SearchResult, site: SiteRecord) => Result,
  deps: SearchDeps,
): Promise<{ readonly found: Found<Result>; readonly degraded: boolean }> {
  const clock = steadyClock(deps.clock);
  const started = clock();
  const facets = request.facets && facetsOf(settingsOf(sites), request.facets);
  const { pages, others, chunks, terms, corrections, phraseDropped, degraded } = await matchPages(sites, request, deps);
  const total = pages.length + others;
  const isMore = total > FIRST_RESULTS;
  const resultsOf = (hits: FoundPages['pages'], among: Pick<FoundPages, 'chunks' | 'terms'>) =>
    shownResults(hits, { ...among, sections: request.sections ?? 0, sites, index: deps.index, resultOf });
  const shown = pages.slice(request.offset, request.offset + request.limit);
  const near = total === 0 ? await closestPages(sites, request, deps) : undefined;
  const found = {
    query: request.query,
    results: await resultsOf(shown, { chunks, terms }),
    totalResults: shownOf(request) > FIRST_RESULTS ? total : Math.min(total, FIRST_RESULTS),
    ...(isMore && { totalIsLowerBound: true as const }),
    ...(corrections.length > 0 && { corrections }),
    ...(phraseDropped && { phraseDropped: true as const }),
    ...(facets && { facets: facetsAmong(facets, refsOf(pages)) }),
    ...(near && near.pages.length > 0 && { closest: await resultsOf(near.pages, near) }),
    timingMs: Math.max(0, Math.round(clock() - started)),
  };
  return { found, degraded };
}

/** Returns the facets of the sites, counted on the pages that match the query at the default `minScore`, or on all. */
export async function searchFacets(
  sites: readonly SearchedSite[],
  query: string | undefined,
  deps: SearchDeps,
): Promise<{ readonly facets: readonly Facet[]; readonly degraded: boolean }> {
  const facets = facetsOf(settingsOf(sites));
  if (query === undefined) return { facets: await facetsInIndex(facets, scopesOf(sites), deps.index), degraded: false };
  const request = { query, limit: 0, offset: 0, minScore: DEFAULT_MIN_SCORE, facets: [] };
  const { pages, degraded } = await matchPages(sites, request, deps);
  return { facets: facetsAmong(facets, refsOf(pages)), degraded };
}

const settingsOf = (sites: readonly SearchedSite[]): readonly SiteSettings[] => sites.map(({ site }) => site.settings);
const refsOf = (pages: FoundPages['pages']) => pages.map(({ ref }) => ref);
