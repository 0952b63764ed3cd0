import type { CandidateQuery, Candidates, SearchScope } from '../domain/ports/index-reader.ts';
import { greatestFactor, NO_BOOSTS, pageFactor } from '../domain/search/rank/boosts.ts';
import { scorer } from '../domain/search/rank/ranking.ts';
import { NeededCosines } from '../domain/search/rank/score-ceiling.ts';
import { type Statistics, WeightedTerms } from '../domain/search/rank/weighted-terms.ts';
import { termMatcher } from '../text/words/term-matches.ts';
import { CandidateReader } from './candidate-features.ts';
import { addChunkBounds, type ChunkBound, COSINE_ERROR, type ScoredSegment } from './chunk-bounds.ts';
import { LexicalScorer } from './lexical-scorer.ts';
import { pageMask } from './page-mask.ts';
import { quantize } from './quantization.ts';
import type { OpenSite } from './segment.ts';
import { TopPages } from './top-k.ts';

/** A query in one segment. Its scores are valid until the segment is searched again. */
type SegmentSearch = ScoredSegment & {
  readonly reader: CandidateReader;
  readonly score: ReturnType<typeof scorer>;
};

/** Input of a search in one site. */
type InQuery = {
  readonly open: OpenSite;
  readonly firstPage: number;
  readonly match: ReturnType<typeof termMatcher>;
  readonly vector: Int16Array | undefined;
};

/** Most chunks that a query reads: many pages can have equal bounds. The bounds alone order the rest. */
const MAX_READ = 4000;

/** Returns the best pages of the sites, one site per scope of the query. */
export function findCandidates(query: CandidateQuery, sites: readonly OpenSite[]): Candidates {
  const statistics = new Map<string, Statistics>();
  const searches = new Map<ScoredSegment, SegmentSearch>();
  const ofQuery = { match: termMatcher(query.terms), vector: query.vector && quantize(query.vector) };
  let firstPage = 0;
  for (const [i, scope] of query.scopes.entries()) {
    const site = searchSite(query, scope, { open: sites[i] as OpenSite, firstPage, ...ofQuery });
    firstPage = site.nextPage;
    statistics.set(scope.siteId, site.statistics);
    for (const search of site.searches) searches.set(search, search);
  }
  const lower = new TopPages(query.limit, belowLeast(query));
  const bounds: ChunkBound[] = [];
  addChunkBounds([...searches.keys()], lower, bounds);
  const kept = bounds.filter(({ upper }) => upper >= lower.threshold).sort(byBound);
  const reader = new BestReader(searches);
  reader.readBest(kept, query.first ?? query.limit);
  const others = query.first === undefined ? 0 : reader.countOthers(kept, query.minScore ?? 0, query.limit);
  if (query.chunksPerPage !== undefined && query.chunksPerPage > 1) reader.readMore(query.chunksPerPage);
  return { statistics, pages: reader.candidates(), others };
}

/** Scores the chunks of a site without reading their terms. */
function searchSite(query: CandidateQuery, scope: SearchScope, { open, firstPage, match, vector }: InQuery) {
  const { segments } = open;
  const scorers = segments.map((segment) => new LexicalScorer(query.terms, segment));
  const statistics = statisticsOf(query, open, scorers);
  const terms = new WeightedTerms(query.terms, statistics);
  const boosts = scope.boosts ?? NO_BOOSTS;
  const most = greatestFactor(boosts);
  const shared = {
    terms,
    score: scorer(query.terms, statistics, terms),
    greatestFactor: most,
    needed: new NeededCosines(terms, belowLeast(query) / most, COSINE_ERROR),
    factorOf: (page: Parameters<typeof pageFactor>[0]) => pageFactor(page, boosts),
  };
  let next = firstPage;
  const searches = segments.map((segment, i): SegmentSearch => {
    const lexical = scorers[i] as LexicalScorer;
    const scores = lexical.score(terms, statistics);
    const scan = vector && segment.vectors.scan(vector);
    scan?.fill(scores.cosines);
    const reader = new CandidateReader({ scope, segment, match, lexical, scan });
    next += segment.size;
    const first = next - segment.size;
    return { ...shared, segment, scores, reader, mask: pageMask(query, scope, segment), firstPage: first };
  });
  return { statistics, searches, nextPage: next };
}

/** Reads and scores chunks in descending order of their upper bounds. */
class BestReader {
  readonly #searches: ReadonlyMap<ScoredSegment, SegmentSearch>;
  /** The best score read so far, by page; pages are numbered across all sites. */
  readonly #scores = new Map<number, number>();
  readonly #read = new Set<ChunkBound>();

  constructor(searches: ReadonlyMap<ScoredSegment, SegmentSearch>) {
    this.#searches = searches;
  }

  candidates() {
    return [...this.#searches.values()].flatMap(({ reader }) => reader.candidates());
  }

  /** Reads until no other chunk can be among the best pages. */
  readBest(bounds: readonly ChunkBound[], pages: number): void {
    const top = new TopPages(pages, 0);
    for (const bound of bounds) {
      if (bound.upper < top.threshold || this.#read.size >= MAX_READ) break;
      top.offer(bound.scored.firstPage + bound.page, bound.chunk, this.#score(bound));
    }
  }

  /**
   * Returns the number of unread pages that reach the score. Reads more chunks while fewer than `limit` pages in all
   * are known to reach it.
   */
  countOthers(bounds: readonly ChunkBound[], minScore: number, limit: number): number {
    const others = new Set<number>();
    const pageOf = ({ scored, page }: ChunkBound) => scored.firstPage + page;
    const isRead = (bound: ChunkBound) => this.#scores.has(pageOf(bound));
    for (const bound of bounds) if (bound.lower >= minScore && !isRead(bound)) others.add(pageOf(bound));
    const passed = () => [...this.#scores.values()].filter((score) => score >= minScore).length;
    let count = passed() + others.size;
    for (const bound of bounds) {
      if (count >= limit || this.#read.size >= MAX_READ || bound.upper < minScore) break;
      const page = pageOf(bound);
      if (others.has(page) || (this.#scores.get(page) ?? 0) >= minScore || this.#read.has(bound)) continue;
      if (this.#score(bound) >= minScore) count++;
    }
    return others.size;
  }

  readMore(chunksPerPage: number): void {
    for (const { reader, scores } of this.#searches.values()) reader.readMore(chunksPerPage, scores);
  }

  #score(bound: ChunkBound): number {
    const search = this.#searches.get(bound.scored);
    if (!search) return 0;
    this.#read.add(bound);
    const { page: ofPage, chunk } = search.reader.read(bound.page, bound.chunk);
    const score = search.score(ofPage, chunk) * search.factorOf(ofPage);
    const page = search.firstPage + bound.page;
    this.#scores.set(page, Math.max(score, this.#scores.get(page) ?? 0));
    return score;
  }
}

const TINY = 1e-9;

/**
 * Returns the exclusive lower bound of the scores to return. Without `minScore` it is negative, so that pages without
 * evidence come last. With several chunks per page it is negative too, because further chunks may score less.
 */
const belowLeast = ({ minScore = 0, chunksPerPage = 1 }: CandidateQuery): number =>
  minScore > 0 && chunksPerPage === 1 ? minScore - TINY : -1;

const urlOf = ({ scored, page }: ChunkBound): string => scored.segment.factsOf(page).url;

function byBound(a: ChunkBound, b: ChunkBound): number {
  if (a.upper !== b.upper) return b.upper - a.upper;
  const [urlA, urlB] = [urlOf(a), urlOf(b)];
  return urlA === urlB ? a.chunk - b.chunk : urlA < urlB ? -1 : 1;
}

function statisticsOf(
  { terms, scales }: CandidateQuery,
  { chunks, terms: length }: OpenSite,
  scorers: readonly LexicalScorer[],
): Statistics {
  const counts = scorers.map(({ documentFrequency }) => documentFrequency);
  return {
    chunks,
    averageLength: chunks > 0 ? length / chunks : 0,
    documentFrequency: terms.map((_, i) => counts.reduce((sum, ofSegment) => sum + (ofSegment[i] ?? 0), 0)),
    ...(scales && { scales }),
  };
}
