import {
  type CandidateQuery,
  type Candidates,
  MAX_GROUP_CANDIDATES,
  type PageCandidate,
  type SiteScope,
} from '../../../core/ports/page-index.ts';
import type { SiteStatistics } from '../../../core/search/ranking.ts';
import { evidenceOf } from './candidate-features.ts';
import type { LoadedSpaces } from './index-cache.ts';
import type { IndexSpaces } from './index-partitions.ts';
import { WordMatches } from './lexical-scorer.ts';
import { admittedPages } from './page-filter.ts';
import type { Admitted } from './top-k.ts';

type Deps = { readonly spaces: IndexSpaces; readonly loaded: LoadedSpaces };
type Statistics = SiteStatistics & { readonly typos: readonly boolean[] };

/** Finds what may answer a query, and the evidence for it. */
export function candidateFinder({ spaces, loaded }: Deps): (query: CandidateQuery) => Candidates {
  const inSite = (query: CandidateQuery, scope: SiteScope) => {
    const space = spaces.find(scope);
    if (!space) return { statistics: nothing(query), pages: [], hasMore: false };
    const index = loaded.indexOf(space);
    const matches = new WordMatches(query.terms, index);
    const statistics: Statistics = {
      chunks: space.chunks,
      averageLength: space.chunks > 0 ? space.terms / space.chunks : 0,
      documentFrequency: matches.documentFrequency,
      typos: matches.typos,
    };
    const scan = query.vector && index.vectors.scan(query.vector);
    const [all, ...groups] = admittedPages(query, index);
    const ranked = matches.ranked(statistics);
    const chunks = new Set<number>();
    const pick = (size: number, admitted: Admitted) => {
      for (const chunk of ranked.top(size, admitted)) chunks.add(chunk);
      for (const chunk of scan?.nearest(size, index.pages, admitted) ?? []) chunks.add(chunk);
    };
    pick(query.limit, all);
    for (const group of groups) pick(Math.min(query.limit, MAX_GROUP_CANDIDATES), group);
    const pages = evidenceOf({ scope, index, terms: query.terms, matches, scan }, chunks);
    return { statistics, hasMore: ranked.hasMoreThan(query.limit, all), pages };
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

function nothing({ terms }: CandidateQuery): Statistics {
  return { chunks: 0, averageLength: 0, documentFrequency: terms.map(() => 0), typos: terms.map(() => false) };
}
