import { type CandidateQuery, type Candidates, MAX_GROUP_CANDIDATES } from '../../../core/ports/page-index.ts';
import { termWeights } from '../../../core/search/bm25.ts';
import { TYPO_WEIGHT } from '../../../core/search/ranking.ts';
import { hitsOf, pageCandidates } from './candidate-hits.ts';
import { type IndexRef, multiSearchGroups } from './multi-search.ts';
import { groupClause, pageTests } from './page-clauses.ts';
import { storedVector } from './page-document.ts';
import { byVector, byWords, type FeatureQuery, type ScopedQuery, totals, type WeightedWord } from './scoped-queries.ts';
import type { SiteQuery, SiteTermCache } from './site-term-cache.ts';
import { totalsOf } from './site-totals.ts';
import { termHash } from './term-occurrences.ts';

type Deps = { readonly index: IndexRef; readonly siteTerms: SiteTermCache; readonly dimensions: number };

/**
 * `PageIndex.candidates`: one round trip if the term statistics of all sites are cached. The same trip reads the
 * sites' current versions; if a site has changed since its statistics were cached, the search is repeated without the
 * cache.
 */
export async function findCandidates(query: CandidateQuery, deps: Deps): Promise<Candidates> {
  const vector = query.vector && storedVector(query.vector, deps.dimensions);
  const search = async (bypassCache: boolean): Promise<readonly AnsweredPlan[]> => {
    const { scopes, terms } = query;
    const sites = await deps.siteTerms.lookUp(deps.index, { scopes, terms, bypassCache });
    const plans = sites.map((site) => plan(query, site, vector));
    const answers = await multiSearchGroups(
      deps.index,
      plans.map(({ queries }) => queries),
    );
    return plans.map((each, i) => ({ ...each, answers: answers[i] ?? [] }));
  };
  const answered = await search(false);
  return candidates(query, answered.some(isStale) ? await search(true) : answered);
}

type Plan = {
  readonly site: SiteQuery;
  /** The forms of all terms. */
  readonly forms: readonly string[];
  readonly hasWords: boolean;
  /** First the totals; then, if `hasWords`, the search by words over all pages; then the others. */
  readonly queries: readonly ScopedQuery[];
};
type AnsweredPlan = Plan & { readonly answers: readonly unknown[] };

/** Searches by words and by vector, over all pages and over each group. */
function plan(query: CandidateQuery, site: SiteQuery, vector: FeatureQuery['vector']): Plan {
  const { scope } = site;
  const forms = [...new Set(site.terms.flatMap((term) => term.forms))];
  const features = { hashes: forms.map(termHash), vector };
  const words = weightedWords(site);
  const tests = pageTests(query);
  const groupLimit = Math.min(query.limit, MAX_GROUP_CANDIDATES);
  const rounds = [
    { tests, limit: query.limit, more: 1 },
    ...query.groups.map((group) => ({ tests: [...tests, groupClause(group, scope)], limit: groupLimit, more: 0 })),
  ];
  const searches = rounds.flatMap(({ more, limit, ...round }) => [
    ...(words.length > 0 ? [byWords(scope, { ...round, features, words, limit: limit + more })] : []),
    ...(vector ? [byVector(scope, { ...round, features, vector, limit })] : []),
  ]);
  const queries = [totals(scope), ...(site.chunks > 0 ? searches : [])];
  return { site, forms, hasWords: words.length > 0, queries };
}

/** The terms that the site has or has suggestions for; question words alone find nothing. */
function weightedWords(site: SiteQuery): readonly WeightedWord[] {
  const weights = termWeights(site.terms, site);
  return site.terms.flatMap(({ forms, question }, i) => {
    const isTypo = site.typos[i] === true;
    if (question || (site.documentFrequency[i] === 0 && !isTypo)) return [];
    return [{ forms, weight: (weights[i] ?? 0) * (isTypo ? TYPO_WEIGHT : 1) }];
  });
}

const isStale = ({ site, answers: [current] }: AnsweredPlan): boolean =>
  site.isCached && totalsOf(current).version !== site.version;

function candidates({ limit, vector }: CandidateQuery, answered: readonly AnsweredPlan[]): Candidates {
  const vectorLength = Math.sqrt(vector?.reduce((sum, number) => sum + number * number, 0) ?? 0);
  const found = answered.map(({ site, forms, hasWords, answers }) => {
    const [first = [], ...others] = answers.slice(1).map(hitsOf);
    const best = hasWords ? first.slice(0, limit) : first;
    const hits = [...best, ...others.flat()];
    return {
      pages: pageCandidates(hits, site.scope, { terms: site.terms, forms, vectorLength }),
      hasMore: first.length > best.length,
    };
  });
  return {
    statistics: new Map(answered.map(({ site }) => [site.scope.siteId, statisticsOf(site)])),
    pages: found.flatMap(({ pages }) => pages),
    hasMore: found.some(({ hasMore }) => hasMore),
  };
}

const statisticsOf = ({ chunks, averageLength, documentFrequency, typos }: SiteQuery) => ({
  ...{ chunks, averageLength, documentFrequency, typos },
});
