import type { SiteStatistics } from '../../../core/search/ranking.ts';
import type { CandidateQuery, Candidates, PageCandidate, SiteScope } from '../../ports.ts';
import { type AdmittedPages, admittedPages } from './admitted-pages.ts';
import type { BestPages } from './best-pages.ts';
import { evidenceOf } from './evidence.ts';
import type { IndexSpaces } from './index-space.ts';
import type { LoadedSpaces } from './loaded-spaces.ts';
import { WordMatches } from './word-matches.ts';

/** Candidates of a group of pages, beside those of all. */
const MOST_OF_GROUP = 200;

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
    const rounds = admittedPages(query, index);
    const { chunks, hasMore } = pick(rounds, query.size, matches.best(statistics), scan?.nearest(index.pages));
    return { statistics, hasMore, pages: evidenceOf({ scope, index, terms: query.terms, matches, scan }, chunks) };
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

/** The best chunks by words and the nearest, of all pages and of each group. */
function pick(
  [all, ...groups]: AdmittedPages,
  size: number,
  byWords: BestPages,
  byVector: BestPages | undefined,
): { readonly chunks: ReadonlySet<number>; readonly hasMore: boolean } {
  const best = byWords.top(size, all);
  const chunks = new Set([...best.chunks, ...(byVector?.top(size, all).chunks ?? [])]);
  for (const group of groups) {
    for (const ranked of [byWords, byVector]) {
      for (const chunk of ranked?.top(Math.min(size, MOST_OF_GROUP), group).chunks ?? []) chunks.add(chunk);
    }
  }
  return { chunks, hasMore: best.hasMore };
}

function nothing({ terms }: CandidateQuery): Statistics {
  return { chunks: 0, averageLength: 0, documentFrequency: terms.map(() => 0), typos: terms.map(() => false) };
}
