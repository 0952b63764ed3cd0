import type { Clock } from '../clock.ts';
import { UnavailableError } from '../errors.ts';
import { type QueryTerm, queryTerms } from '../language/query-terms.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Candidates, PageCandidate, PageFilter, PageIndex, Passage, SearchScope } from '../ports/page-index.ts';
import type { SiteRecord, SiteSettings } from '../sites/site.ts';
import { boostedGroups, boostsOf } from './boosts.ts';
import { correctedTerms } from './corrected-terms.ts';
import { type Facet, facetsAmong, facetsInIndex, facetsOf } from './facet-counts.ts';
import { matchingAddress } from './matching-address.ts';
import { parseQuery, stemmedPhrases } from './query-syntax.ts';
import { type Candidate, type Ranked, rankPages } from './rank-pages.ts';
import { scorer } from './ranking.ts';
import { DEFAULT_MIN_SCORE, type SearchRequest } from './search-request.ts';
import { shownUrl, storedUrlBoosts } from './shown-url.ts';
import { snippet } from './snippet.ts';

export type SearchDeps = { readonly index: PageIndex; readonly embedder: Embedder; readonly clock: Clock };

export type SearchResult = {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  /** Offsets into the snippet: where the query's words are. */
  readonly highlights: readonly [start: number, end: number][];
  readonly score: number;
  readonly metadata: {
    readonly summary?: string;
    readonly tags: readonly string[];
    readonly publishedAt?: string;
    readonly crawledAt: string;
  };
};

/** What every answer to a search has. */
export type Found<Result extends SearchResult = SearchResult> = {
  readonly query: string;
  readonly results: readonly Result[];
  readonly totalResults: number;
  readonly totalIsLowerBound?: true;
  readonly facets?: readonly Facet[];
  readonly timingMs: number;
};

/** A site with the filters of a request in the types of its metadata schema; without filters none of its pages match. */
export type SearchedSite = { readonly site: SiteRecord; readonly filters: readonly PageFilter[] | undefined };

const BUILT_IN = new Set(['summary', 'tags', 'publishedAt', 'crawledAt']);
/** Pages that are scored: this many by words and as many by vector. */
const CANDIDATES = 50;
/** For all results beyond. If the number grew with the offset, one page of results could repeat another. */
const MOST_CANDIDATES = 1000;
/** After this the query is answered without a vector. */
const EMBEDDING_DEADLINE_MS = 800;

/** The pages of the sites that match a query, best first. If the embedder fails, words alone decide. */
export async function searchPages<Result extends SearchResult>(
  sites: readonly SearchedSite[],
  request: SearchRequest,
  resultOf: (result: SearchResult, site: SiteRecord) => Result,
  deps: SearchDeps,
): Promise<{ readonly found: Found<Result>; readonly degraded: boolean }> {
  const started = deps.clock();
  const facets = request.facets && facetsOf(settingsOf(sites), request.facets);
  const { ranked, candidates, terms, degraded } = await rankedPages(sites, request, deps);
  const passed = ranked.passed.map(({ ref }) => ref);
  const found = {
    query: request.query,
    results: await results(ranked, candidates, terms, { index: deps.index, resultOf, sites }),
    totalResults: ranked.totalResults,
    ...(candidates.hasMore && { totalIsLowerBound: true as const }),
    ...(facets && { facets: facetsAmong(facets, passed) }),
    timingMs: Math.max(0, Math.round(deps.clock() - started)),
  };
  return { found, degraded };
}

/** The facets of the sites, counted among the pages that match the query at the default `minScore`, or among all. */
export async function searchFacets(
  sites: readonly SearchedSite[],
  query: string | undefined,
  deps: SearchDeps,
): Promise<{ readonly facets: readonly Facet[]; readonly degraded: boolean }> {
  const facets = facetsOf(settingsOf(sites));
  if (query === undefined) return { facets: await facetsInIndex(facets, scopesOf(sites), deps.index), degraded: false };
  const request = { query, limit: MOST_CANDIDATES, offset: 0, minScore: DEFAULT_MIN_SCORE };
  const { ranked, degraded } = await rankedPages(sites, request, deps);
  const passed = ranked.passed.map(({ ref }) => ref);
  return { facets: facetsAmong(facets, passed), degraded };
}

/** The best chunk of each page that matches, ranked. No text is read. */
export async function rankedPages(
  sites: readonly SearchedSite[],
  request: SearchRequest,
  { index, embedder }: Pick<SearchDeps, 'index' | 'embedder'>,
) {
  const languages = [...new Set(sites.flatMap(({ site }) => site.state.languages ?? []))];
  const { text, phrases, without } = parseQuery(request.query);
  const terms = queryTerms(text, languages);
  const { vector, degraded } = await queryVector(text, embedder);
  const scopes = scopesOf(sites);
  const candidates = isNonEmpty(scopes)
    ? await index.candidates({
        scopes,
        terms,
        vector,
        requiredPhrases: stemmedPhrases(phrases, languages),
        excludedPhrases: stemmedPhrases(without, languages),
        limit: candidatesFor(request),
      })
    : NO_CANDIDATES;
  const siteOf = new Map(sites.map(({ site }) => [site.settings.siteId, site]));
  return { ranked: rankPages(scored(candidates, terms, siteOf), request), candidates, terms, degraded };
}

/** Facets count all pages that are examined, so more are. */
const candidatesFor = ({ offset, limit, facets }: SearchRequest): number =>
  facets === undefined && offset + limit <= CANDIDATES ? CANDIDATES : MOST_CANDIDATES;

const settingsOf = (sites: readonly SearchedSite[]): readonly SiteSettings[] => sites.map(({ site }) => site.settings);

const NO_CANDIDATES: Candidates = { statistics: new Map(), pages: [], hasMore: false };

const isNonEmpty = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0;

function scopesOf(sites: readonly SearchedSite[]): readonly SearchScope[] {
  return sites.flatMap(({ site, filters }) => {
    const { siteId } = site.settings;
    const { generation } = site.state;
    return filters ? [{ siteId, generation, filters, groups: boostedGroups(storedBoosts(site)) }] : [];
  });
}

type Boosts = Pick<SiteSettings, 'tagBoosts' | 'urlBoosts'>;

const storedBoosts = (site: SiteRecord): Boosts => ({
  tagBoosts: site.settings.tagBoosts,
  urlBoosts: storedUrlBoosts(site),
});

async function queryVector(
  query: string,
  embedder: Embedder,
): Promise<{ readonly vector: Float32Array | undefined; readonly degraded: boolean }> {
  if (query === '') return { vector: undefined, degraded: false };
  try {
    return { vector: await embedder.embedQuery(query, EMBEDDING_DEADLINE_MS), degraded: false };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { vector: undefined, degraded: true };
  }
}

type Scored = Candidate & { readonly ref: PageCandidate; readonly site: SiteRecord };

function scored(
  { pages, statistics }: Candidates,
  terms: readonly QueryTerm[],
  siteOf: ReadonlyMap<string, SiteRecord>,
): readonly Scored[] {
  const scoringOf = new Map(
    [...siteOf].flatMap(([siteId, site]) => {
      const ofSite = statistics.get(siteId);
      return ofSite
        ? [[siteId, { site, score: scorer(terms, ofSite), typos: ofSite.typos, boosts: storedBoosts(site) }] as const]
        : [];
    }),
  );
  return pages.flatMap((page) => {
    const ofSite = scoringOf.get(page.siteId);
    if (!ofSite) return [];
    const { site, score, typos } = ofSite;
    const boosts = boostsOf(page, ofSite.boosts);
    return page.chunks.map((chunk) => ({
      page: `${page.siteId} ${page.urlHash}`,
      url: page.url,
      chunk: chunk.ord,
      score: score({ ...page, ...chunk, typos }),
      boosts,
      ref: page,
      site,
    }));
  });
}

async function results<Result extends SearchResult>(
  ranked: Ranked<Scored>,
  { statistics }: Candidates,
  terms: readonly QueryTerm[],
  {
    index,
    resultOf,
    sites,
  }: {
    readonly index: PageIndex;
    readonly sites: readonly SearchedSite[];
    readonly resultOf: (result: SearchResult, site: SiteRecord) => Result;
  },
): Promise<readonly Result[]> {
  const refs = ranked.results.map(({ candidate }) => ({ ...candidate.ref, ord: candidate.chunk }));
  const passages = await index.passages(refs);
  const filtersOf = new Map(sites.map(({ site, filters }) => [site.settings.siteId, filters]));
  return ranked.results.flatMap(({ candidate: { ref, site }, score }, i) => {
    const passage = passages[i];
    const typos = statistics.get(ref.siteId)?.typos ?? [];
    if (!passage) return [];
    const url = matchingAddress(passage, filtersOf.get(ref.siteId));
    return [resultOf(result({ ...passage, url }, score, correctedTerms(terms, typos, passage), site), site)];
  });
}

function result(passage: Passage, score: number, terms: readonly QueryTerm[], site: SiteRecord): SearchResult {
  const { text, highlights } = snippet(passage.text, terms, passage.language ?? '');
  return {
    url: shownUrl(passage.url, site),
    title: passage.title,
    snippet: text,
    highlights: highlights.map(([start, end]) => [start, end]),
    score,
    metadata: {
      ...customFields(passage.metadata),
      ...(passage.summary !== undefined && { summary: passage.summary }),
      tags: passage.tags,
      ...(passage.publishedAt !== undefined && { publishedAt: passage.publishedAt }),
      crawledAt: passage.crawledAt,
    },
  };
}

/** Without the built-in names, which are reserved. */
function customFields(metadata: Passage['metadata'] = {}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !BUILT_IN.has(name)));
}
