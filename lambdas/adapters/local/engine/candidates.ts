import { termMatcher } from '../../../core/language/term-matches.ts';
import type { CandidateQuery, Candidates, SearchScope } from '../../../core/ports/page-index.ts';
import type { SiteStatistics } from '../../../core/search/bm25.ts';
import { greatestFactor, NO_BOOSTS, pageFactor } from '../../../core/search/boosts.ts';
import { scorer } from '../../../core/search/ranking.ts';
import { WeightedTerms } from '../../../core/search/weighted-terms.ts';
import { CandidateReader } from './candidate-features.ts';
import { addChunkBounds, type ChunkBound, type ScoredSite } from './chunk-bounds.ts';
import type { IndexCache } from './index-cache.ts';
import { quantize } from './int16-quantization.ts';
import { LexicalScorer } from './lexical-scorer.ts';
import { pageMask } from './page-filter.ts';
import type { IndexPartition, PartitionRows } from './partition-rows.ts';
import { TopPages } from './top-k.ts';

type Deps = { readonly partitions: PartitionRows; readonly cache: IndexCache };

/** A query in one site. Its scores are valid until the site is searched again. */
type SiteSearch = ScoredSite & {
  readonly statistics: SiteStatistics;
  readonly reader: CandidateReader;
  readonly score: ReturnType<typeof scorer>;
};

/** What is known of a site, and of the query, before the site is searched. */
type InQuery = {
  readonly partition: IndexPartition;
  readonly firstPage: number;
  readonly match: ReturnType<typeof termMatcher>;
  readonly vector: Int16Array | undefined;
};

/** Many pages can have equal bounds; the rest of them is ordered by the bounds alone. */
const MOST_READ = 4000;

export function candidateFinder({ partitions, cache }: Deps): (query: CandidateQuery) => Candidates {
  const inSite = (
    query: CandidateQuery,
    scope: SearchScope,
    { partition, firstPage, match, vector }: InQuery,
  ): SiteSearch => {
    const index = cache.indexOf(partition);
    const lexical = new LexicalScorer(query.terms, index);
    const statistics: SiteStatistics = {
      chunks: partition.chunks,
      averageLength: partition.chunks > 0 ? partition.terms / partition.chunks : 0,
      documentFrequency: lexical.documentFrequency,
      ...(query.scales && { scales: query.scales }),
    };
    const terms = new WeightedTerms(query.terms, statistics);
    const scores = lexical.score(terms, statistics);
    const scan = vector && index.vectors.scan(vector);
    scan?.fill(scores.cosines);
    const boosts = scope.boosts ?? NO_BOOSTS;
    return {
      ...{ index, terms, scores, firstPage, statistics },
      mask: pageMask(query, scope, index),
      factorOf: (page) => pageFactor(page, boosts),
      greatestFactor: greatestFactor(boosts),
      reader: new CandidateReader({ scope, index, match, lexical, scan }),
      score: scorer(query.terms, statistics, terms),
    };
  };

  return (query) => {
    const statistics = new Map<string, SiteStatistics>();
    // Below zero, so that pages without any evidence follow where less than `limit` pages have some.
    const lower = new TopPages(query.limit, -1);
    const sites = new Map<ScoredSite, SiteSearch>();
    const bounds: ChunkBound[] = [];
    let pages = 0;
    const ofQuery = { match: termMatcher(query.terms), vector: query.vector && quantize(query.vector) };
    const partitionOf = partitions.findAll(query.scopes);
    for (const [i, scope] of query.scopes.entries()) {
      const partition = partitionOf[i];
      if (!partition) {
        statistics.set(scope.siteId, emptyStatistics(query));
        continue;
      }
      const site = inSite(query, scope, { partition, firstPage: pages, ...ofQuery });
      pages += site.index.pages.size;
      statistics.set(scope.siteId, site.statistics);
      sites.set(site, site);
      addChunkBounds(site, lower, bounds);
    }
    const kept = bounds.filter(({ upper }) => upper >= lower.threshold).sort(byBound);
    const reader = new BestReader(sites);
    reader.readBest(kept, query.shown?.first ?? query.limit);
    const others = query.shown ? reader.countOthers(kept, query.shown.minScore, query.limit) : 0;
    if (query.chunksPerPage !== undefined && query.chunksPerPage > 1) reader.readMore(query.chunksPerPage);
    return { statistics, pages: reader.candidates(), others };
  };
}

/** Reads chunks by falling bounds, and scores them. */
class BestReader {
  readonly #sites: ReadonlyMap<ScoredSite, SiteSearch>;
  /** By number of the page among those of all sites: the best score that was read. */
  readonly #scores = new Map<number, number>();
  readonly #read = new Set<ChunkBound>();

  constructor(sites: ReadonlyMap<ScoredSite, SiteSearch>) {
    this.#sites = sites;
  }

  candidates() {
    return [...this.#sites.values()].flatMap(({ reader }) => reader.candidates());
  }

  /** Until no other chunk can be among the best pages. */
  readBest(bounds: readonly ChunkBound[], pages: number): void {
    const top = new TopPages(pages, 0);
    for (const bound of bounds) {
      if (bound.upper < top.threshold || this.#read.size >= MOST_READ) break;
      top.offer(bound.site.firstPage + bound.page, bound.chunk, this.#score(bound));
    }
  }

  /** The number of pages that reach the score and were not read, up to `limit` with those that were read. */
  countOthers(bounds: readonly ChunkBound[], minScore: number, limit: number): number {
    const others = new Set<number>();
    const pageOf = ({ site, page }: ChunkBound) => site.firstPage + page;
    const isRead = (bound: ChunkBound) => this.#scores.has(pageOf(bound));
    for (const bound of bounds) if (bound.lower >= minScore && !isRead(bound)) others.add(pageOf(bound));
    const passed = () => [...this.#scores.values()].filter((score) => score >= minScore).length;
    let count = passed() + others.size;
    for (const bound of bounds) {
      if (count >= limit || this.#read.size >= MOST_READ || bound.upper < minScore) break;
      const page = pageOf(bound);
      if (others.has(page) || (this.#scores.get(page) ?? 0) >= minScore || this.#read.has(bound)) continue;
      if (this.#score(bound) >= minScore) count++;
    }
    return others.size;
  }

  readMore(chunksPerPage: number): void {
    for (const { reader, scores } of this.#sites.values()) reader.readMore(chunksPerPage, scores);
  }

  #score(bound: ChunkBound): number {
    const site = this.#sites.get(bound.site);
    if (!site) return 0;
    this.#read.add(bound);
    const features = { ...site.reader.page(bound.page), ...site.reader.chunk(bound.page, bound.chunk) };
    const score = site.score(features) * site.factorOf(features);
    const page = site.firstPage + bound.page;
    this.#scores.set(page, Math.max(score, this.#scores.get(page) ?? 0));
    return score;
  }
}

const urlOf = ({ site, page }: ChunkBound): string => site.index.pages.facts[page]?.url ?? '';

function byBound(a: ChunkBound, b: ChunkBound): number {
  if (a.upper !== b.upper) return b.upper - a.upper;
  return urlOf(a) < urlOf(b) ? -1 : 1;
}

const emptyStatistics = ({ terms }: CandidateQuery): SiteStatistics => ({
  ...{ chunks: 0, averageLength: 0 },
  documentFrequency: terms.map(() => 0),
});
