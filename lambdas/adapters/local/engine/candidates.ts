import {
  type CandidateQuery,
  type Candidates,
  MAX_GROUP_CANDIDATES,
  type PageGroup,
  type SearchScope,
} from '../../../core/ports/page-index.ts';
import type { SiteStatistics } from '../../../core/search/bm25.ts';
import { candidateFeatures } from './candidate-features.ts';
import type { IndexCache } from './index-cache.ts';
import { LexicalScorer, type ScoredChunks } from './lexical-scorer.ts';
import { groupMask, pageMask } from './page-filter.ts';
import type { PartitionIndex } from './partition-index.ts';
import type { PartitionRows } from './partition-rows.ts';
import type { PageMask } from './top-k.ts';
import type { VectorScan } from './vector-index.ts';

type Deps = { readonly partitions: PartitionRows; readonly cache: IndexCache };
type Statistics = SiteStatistics & { readonly typos: readonly boolean[] };

/** A query in one site. */
type SiteSearch = {
  readonly scope: SearchScope;
  readonly index: PartitionIndex;
  readonly scorer: LexicalScorer;
  readonly scored: ScoredChunks;
  readonly scan: VectorScan | undefined;
  readonly mask: PageMask;
  readonly statistics: Statistics;
};

export function candidateFinder({ partitions, cache }: Deps): (query: CandidateQuery) => Candidates {
  const inSite = (query: CandidateQuery, scope: SearchScope): SiteSearch | undefined => {
    const partition = partitions.find(scope);
    if (!partition) return undefined;
    const index = cache.indexOf(partition);
    const scorer = new LexicalScorer(query.terms, index);
    const statistics: Statistics = {
      chunks: partition.chunks,
      averageLength: partition.chunks > 0 ? partition.terms / partition.chunks : 0,
      documentFrequency: scorer.documentFrequency,
      typos: scorer.typos,
    };
    const scan = query.vector && index.vectors.scan(query.vector);
    const scored = scorer.score(statistics);
    return { scope, index, scorer, scored, scan, statistics, mask: pageMask(query, scope, index) };
  };

  return (query) => {
    const statistics = new Map(query.scopes.map(({ siteId }) => [siteId, emptyStatistics(query)]));
    const selection = new Selection(query.limit);
    for (const scope of query.scopes) {
      const site = inSite(query, scope);
      if (!site) continue;
      statistics.set(scope.siteId, site.statistics);
      selection.search(site);
    }
    const pages = [...selection.chunksBySite()].flatMap(([site, chunks]) =>
      candidateFeatures({ ...site, terms: query.terms }, chunks),
    );
    return { statistics, pages, hasMore: selection.hasMore };
  };
}

/** The best chunk of a page in one of the ways in which pages are found. Scores are comparable between sites. */
type Pick = { readonly site: SiteSearch; readonly chunk: number; readonly score: number };

/** Selects the best pages of all sites: of all pages, and of those inside and outside of the boosted groups. */
class Selection {
  readonly #limit: number;
  readonly #picks = new Map<string, { readonly size: number; readonly picks: Pick[] }>();
  #hasMore = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Buffers of the site are only valid until the next search, so its chunks and scores are read at once. */
  search(site: SiteSearch): void {
    this.#hasMore ||= site.scored.hasMoreThan(this.#limit, site.mask);
    this.#pick('all', site, this.#limit, site.mask);
    const size = Math.min(this.#limit, MAX_GROUP_CANDIDATES);
    for (const group of site.scope.groups ?? [])
      this.#pick(nameOf(group), site, size, groupMask(group, site.mask, site.index));
  }

  get hasMore(): boolean {
    return this.#hasMore || (this.#picks.get('words of all')?.picks.length ?? 0) > this.#limit;
  }

  chunksBySite(): ReadonlyMap<SiteSearch, ReadonlySet<number>> {
    const chunks = new Map<SiteSearch, Set<number>>();
    for (const { picks, size } of this.#picks.values()) {
      for (const { site, chunk } of best(picks, size)) {
        const ofSite = chunks.get(site) ?? new Set();
        chunks.set(site, ofSite.add(chunk));
      }
    }
    return chunks;
  }

  #pick(name: string, site: SiteSearch, size: number, mask: PageMask): void {
    const { scored, scan, index } = site;
    const byWords = scored.top(size, mask).map((chunk) => ({ site, chunk, score: scored.shareOf(chunk) }));
    const nearest = scan?.nearest(size, index.pages, mask) ?? [];
    const byVector = nearest.map((chunk) => ({ site, chunk, score: scan?.cosineOf(chunk) ?? 0 }));
    this.#add(`words of ${name}`, size, byWords);
    this.#add(`vector of ${name}`, size, byVector);
  }

  #add(name: string, size: number, picks: readonly Pick[]): void {
    const known = this.#picks.get(name);
    if (known) known.picks.push(...picks);
    else this.#picks.set(name, { size, picks: [...picks] });
  }
}

const nameOf = ({ inside }: PageGroup): string => (inside ? 'inside' : 'outside');

const best = (picks: readonly Pick[], size: number): readonly Pick[] =>
  picks.length <= size ? picks : picks.toSorted((a, b) => b.score - a.score).slice(0, size);

function emptyStatistics({ terms }: CandidateQuery): Statistics {
  return { chunks: 0, averageLength: 0, documentFrequency: terms.map(() => 0), typos: terms.map(() => false) };
}
