import {
  type CandidateQuery,
  type Candidates,
  MAX_GROUP_CANDIDATES,
  type PageCandidate,
  type SiteScope,
} from '../../../core/ports/page-index.ts';
import type { SiteStatistics } from '../../../core/search/bm25.ts';
import { candidateFeatures } from './candidate-features.ts';
import type { IndexCache } from './index-cache.ts';
import { LexicalScorer } from './lexical-scorer.ts';
import { pageMasks } from './page-filter.ts';
import type { PartitionRows } from './partition-rows.ts';
import type { PageMask } from './top-k.ts';

type Deps = { readonly partitions: PartitionRows; readonly cache: IndexCache };
type Statistics = SiteStatistics & { readonly typos: readonly boolean[] };

export function candidateFinder({ partitions, cache }: Deps): (query: CandidateQuery) => Candidates {
  const inSite = (query: CandidateQuery, scope: SiteScope) => {
    const partition = partitions.find(scope);
    if (!partition) return { statistics: emptyStatistics(query), pages: [], hasMore: false };
    const index = cache.indexOf(partition);
    const scorer = new LexicalScorer(query.terms, index);
    const statistics: Statistics = {
      chunks: partition.chunks,
      averageLength: partition.chunks > 0 ? partition.terms / partition.chunks : 0,
      documentFrequency: scorer.documentFrequency,
      typos: scorer.typos,
    };
    const scan = query.vector && index.vectors.scan(query.vector);
    const [all, ...groups] = pageMasks(query, index);
    const scored = scorer.score(statistics);
    const chunks = new Set<number>();
    const pick = (size: number, mask: PageMask) => {
      for (const chunk of scored.top(size, mask)) chunks.add(chunk);
      for (const chunk of scan?.nearest(size, index.pages, mask) ?? []) chunks.add(chunk);
    };
    pick(query.limit, all);
    for (const group of groups) pick(Math.min(query.limit, MAX_GROUP_CANDIDATES), group);
    const pages = candidateFeatures({ scope, index, terms: query.terms, scorer, scan }, chunks);
    return { statistics, hasMore: scored.hasMoreThan(query.limit, all), pages };
  };

  return (query) => {
    const statistics = new Map<string, Statistics>();
    const pages: PageCandidate[] = [];
    let hasMore = false;
    for (const scope of query.scopes) {
      const found = inSite(query, scope);
      statistics.set(scope.siteId, found.statistics);
      pages.push(...found.pages);
      hasMore ||= found.hasMore;
    }
    return { statistics, pages, hasMore };
  };
}

function emptyStatistics({ terms }: CandidateQuery): Statistics {
  return { chunks: 0, averageLength: 0, documentFrequency: terms.map(() => 0), typos: terms.map(() => false) };
}
