import type { CandidateQuery, Candidates, SearchScope } from '../../../core/ports/page-index.ts';
import type { SiteStatistics } from '../../../core/search/bm25.ts';
import { greatestFactor, NO_BOOSTS, pageFactor } from '../../../core/search/boosts.ts';
import { scorer } from '../../../core/search/ranking.ts';
import { WeightedTerms } from '../../../core/search/weighted-terms.ts';
import { CandidateReader } from './candidate-features.ts';
import { addChunkBounds, type ChunkBound, type ScoredSite } from './chunk-bounds.ts';
import type { IndexCache } from './index-cache.ts';
import { LexicalScorer } from './lexical-scorer.ts';
import { pageMask } from './page-filter.ts';
import type { PartitionRows } from './partition-rows.ts';
import { TopPages } from './top-k.ts';

type Deps = { readonly partitions: PartitionRows; readonly cache: IndexCache };

/** A query in one site. Its scores are valid until the site is searched again. */
type SiteSearch = ScoredSite & {
  readonly statistics: SiteStatistics;
  readonly reader: CandidateReader;
  readonly score: ReturnType<typeof scorer>;
};

/** Many pages can have equal bounds; the rest of them is ordered by the bounds alone. */
const MOST_READ = 4000;

export function candidateFinder({ partitions, cache }: Deps): (query: CandidateQuery) => Candidates {
  const inSite = (query: CandidateQuery, scope: SearchScope, firstPage: number): SiteSearch | undefined => {
    const partition = partitions.find(scope);
    if (!partition) return undefined;
    const index = cache.indexOf(partition);
    const lexical = new LexicalScorer(query.terms, index);
    const statistics: SiteStatistics = {
      chunks: partition.chunks,
      averageLength: partition.chunks > 0 ? partition.terms / partition.chunks : 0,
      documentFrequency: lexical.documentFrequency,
    };
    const terms = new WeightedTerms(query.terms, statistics);
    const scores = lexical.score(terms, statistics);
    const scan = query.vector && index.vectors.scan(query.vector);
    scan?.fill(scores.cosines);
    const boosts = scope.boosts ?? NO_BOOSTS;
    return {
      ...{ index, terms, scores, firstPage, statistics },
      mask: pageMask(query, scope, index),
      factorOf: (page) => pageFactor(page, boosts),
      greatestFactor: greatestFactor(boosts),
      reader: new CandidateReader({ scope, index, terms: query.terms, lexical, scan }),
      score: scorer(query.terms, statistics),
    };
  };

  return (query) => {
    const statistics = new Map(query.scopes.map(({ siteId }) => [siteId, emptyStatistics(query)]));
    const lower = new TopPages(query.limit, 0);
    const sites = new Map<ScoredSite, SiteSearch>();
    const bounds: ChunkBound[] = [];
    let pages = 0;
    for (const scope of query.scopes) {
      const site = inSite(query, scope, pages);
      if (!site) continue;
      pages += site.index.pages.size;
      statistics.set(scope.siteId, site.statistics);
      sites.set(site, site);
      addChunkBounds(site, lower, bounds);
    }
    const kept = bounds.filter(({ upper }) => upper >= lower.threshold);
    readBest(kept, sites, query);
    return { statistics, pages: [...sites.values()].flatMap(({ reader }) => reader.candidates()) };
  };
}

/** Reads chunks by falling bounds until no other chunk can be among the best pages. */
function readBest(
  bounds: readonly ChunkBound[],
  sites: ReadonlyMap<ScoredSite, SiteSearch>,
  { limit, chunksPerPage = 1 }: Pick<CandidateQuery, 'limit' | 'chunksPerPage'>,
): void {
  const top = new TopPages(limit, 0);
  let read = 0;
  for (const { site: of, page, chunk, upper } of bounds.toSorted(byBound)) {
    if (upper < top.threshold || read >= MOST_READ) break;
    const site = sites.get(of);
    if (!site) continue;
    read++;
    const features = { ...site.reader.page(page), ...site.reader.chunk(page, chunk) };
    top.offer(site.firstPage + page, chunk, site.score(features) * site.factorOf(features));
  }
  if (chunksPerPage === 1) return;
  for (const { reader, scores } of sites.values()) reader.readMore(chunksPerPage, scores);
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
