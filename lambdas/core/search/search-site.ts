import type { Clock } from '../clock.ts';
import { UnavailableError } from '../errors.ts';
import { type QueryTerm, queryTerms } from '../language/query-terms.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Candidates, PageCandidate, PageIndex, Passage } from '../ports/page-index.ts';
import type { SiteRecord, SiteSettings } from '../sites/site.ts';
import { boostedGroups, boostsOf } from './boosts.ts';
import { correctedTerms } from './corrected-terms.ts';
import { type Facet, facetCounts } from './facet-counts.ts';
import { type Filters, pageFilters } from './page-filters.ts';
import { parseQuery, stemmedPhrases } from './query-syntax.ts';
import { type Candidate, type Ranked, rankPages } from './rank-pages.ts';
import { scorer } from './ranking.ts';
import { shownUrl, storedUrlBoosts } from './shown-url.ts';
import { snippet } from './snippet.ts';

export type SearchDeps = { readonly index: PageIndex; readonly embedder: Embedder; readonly clock: Clock };

export type SearchRequest = {
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
  readonly minScore: number;
  readonly filters?: Filters | undefined;
  /** Fields whose values are counted among the pages that passed. */
  readonly facets?: readonly string[] | undefined;
};

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

export type SearchAnswer = {
  readonly response: {
    readonly query: string;
    readonly results: readonly SearchResult[];
    readonly totalResults: number;
    readonly totalIsLowerBound?: true;
    readonly facets?: readonly Facet[];
    readonly timingMs: number;
  };
  /** The query was answered by words alone, because the embedder failed or was too slow. */
  readonly degraded: boolean;
};

const BUILT_IN = new Set(['summary', 'tags', 'publishedAt', 'crawledAt']);
/** Pages that are scored: this many by words and as many by vector. */
const CANDIDATES = 50;
/** For all results beyond. If the number grew with the offset, one page of results could repeat another. */
const MOST_CANDIDATES = 1000;
/** After this the query is answered without a vector. */
const EMBEDDING_DEADLINE_MS = 800;

/** The pages of a site that match a query, best first. If the embedder fails, words alone decide. */
export async function searchSite(
  site: SiteRecord,
  request: SearchRequest,
  { index, embedder, clock }: SearchDeps,
): Promise<SearchAnswer> {
  const { settings, state } = site;
  const started = clock();
  const filters = pageFilters(request.filters, settings.metadataSchema);
  const languages = state.languages ?? [];
  const boosts = { tagBoosts: settings.tagBoosts, urlBoosts: storedUrlBoosts(site) };
  const { text, phrases, without } = parseQuery(request.query);
  const terms = queryTerms(text, languages);
  const { vector, degraded } = await queryVector(text, embedder);
  const found = await index.candidates({
    scopes: [{ siteId: settings.siteId, generation: state.generation }],
    terms,
    vector,
    filters,
    requiredPhrases: stemmedPhrases(phrases, languages),
    excludedPhrases: stemmedPhrases(without, languages),
    groups: boostedGroups(boosts),
    limit: request.offset + request.limit <= CANDIDATES ? CANDIDATES : MOST_CANDIDATES,
  });
  const ranked = rankPages(scored(found, terms, boosts), request);
  const passed = ranked.passed.map(({ ref }) => ref);
  const response = {
    query: request.query,
    results: await results(ranked, found, terms, site, index),
    totalResults: ranked.totalResults,
    ...(found.hasMore && { totalIsLowerBound: true as const }),
    ...(request.facets && { facets: facetCounts(request.facets, passed, settings.metadataSchema) }),
    timingMs: Math.max(0, Math.round(clock() - started)),
  };
  return { response, degraded };
}

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

type Scored = Candidate & { readonly ref: PageCandidate };

function scored(
  { pages, statistics }: Candidates,
  terms: readonly QueryTerm[],
  boosts: Pick<SiteSettings, 'tagBoosts' | 'urlBoosts'>,
): readonly Scored[] {
  const sites = new Map(
    Array.from(statistics, ([siteId, ofSite]) => [siteId, { score: scorer(terms, ofSite), typos: ofSite.typos }]),
  );
  return pages.flatMap((page) => {
    const ofSite = sites.get(page.siteId);
    if (!ofSite) return [];
    const own = boostsOf(page, boosts);
    return page.chunks.map((chunk) => ({
      page: `${page.siteId} ${page.urlHash}`,
      url: page.url,
      chunk: chunk.ord,
      score: ofSite.score({ ...page, ...chunk, typos: ofSite.typos }),
      boosts: own,
      ref: page,
    }));
  });
}

async function results(
  ranked: Ranked<Scored>,
  { statistics }: Candidates,
  terms: readonly QueryTerm[],
  site: SiteRecord,
  index: PageIndex,
): Promise<readonly SearchResult[]> {
  const refs = ranked.results.map(({ candidate }) => ({ ...candidate.ref, ord: candidate.chunk }));
  const passages = await index.passages(refs);
  return ranked.results.flatMap(({ candidate, score }, i) => {
    const passage = passages[i];
    const typos = statistics.get(candidate.ref.siteId)?.typos ?? [];
    return passage ? [result(passage, score, correctedTerms(terms, typos, passage), site)] : [];
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
