import type { CandidateQuery, Candidates, SearchScope } from '../../../core/ports/page-index.ts';
import { termWeights } from '../../../core/search/bm25.ts';
import { NO_BOOSTS } from '../../../core/search/boosts.ts';
import type { FeatureQuery } from './best-chunks.ts';
import { boostedGroups } from './boost-clauses.ts';
import { bestOf, pageCandidates } from './candidate-hits.ts';
import { type AnswerGroup, type IndexRef, multiSearchGroups, type QueryGroup } from './multi-search.ts';
import { groupClause, pageTests } from './page-clauses.ts';
import { storedVector } from './page-document.ts';
import { byVector, byWords, type ScopedQuery, totals, type WeightedWord } from './scoped-queries.ts';
import type { SiteQuery, SiteTermCache } from './site-term-cache.ts';
import { totalsOf } from './site-totals.ts';
import { termHash } from './term-occurrences.ts';

/** When several sites are searched: pages read of each site by words, and again by vector, at least. */
const LEAST_OF_SITE = 10;
/** Pages with none of the words rarely pass, so fewer of them are read. */
const MOST_BY_VECTOR = 50;

type Deps = { readonly index: IndexRef; readonly siteTerms: SiteTermCache; readonly dimensions: number };

/**
 * One round trip if the term statistics of all sites are cached. It also reads the current versions of the sites: if
 * one has changed since, the search is repeated without the cache.
 */
export async function findCandidates(query: CandidateQuery, deps: Deps): Promise<Candidates> {
  const vector = query.vector && storedVector(query.vector, deps.dimensions);
  const search = async (bypassCache: boolean): Promise<readonly AnsweredPlan[]> => {
    const { scopes, terms } = query;
    const sites = await deps.siteTerms.lookUp(deps.index, { scopes, terms, bypassCache });
    const share = { ...query, limit: limitOfSite(query) };
    const plans = sites.map((site, i) => plan(share, scopes[i] ?? site.scope, site, vector));
    const answers = await multiSearchGroups(
      deps.index,
      plans.map(({ queries }) => queries),
    );
    return plans.map((each, i) => ({ ...each, answers: answers[i] ?? {} }));
  };
  const answered = await search(false);
  return candidates(query, answered.some(isStale) ? await search(true) : answered);
}

type Plan = {
  readonly site: SiteQuery;
  readonly forms: readonly string[];
  /** `totals`; unless the site is empty, `words` and `vector` over all pages, and `vector` for each boosted group. */
  readonly queries: QueryGroup;
};
type AnsweredPlan = Plan & { readonly answers: AnswerGroup };

/** Each site is searched by itself. Of many sites fewer pages each are read: their features take most of the time. */
const limitOfSite = ({ limit, scopes }: CandidateQuery): number =>
  Math.min(limit, Math.max(LEAST_OF_SITE, Math.ceil((2 * limit) / scopes.length)));

function plan(query: CandidateQuery, scope: SearchScope, site: SiteQuery, vector: FeatureQuery['vector']): Plan {
  const forms = [...new Set(site.terms.flatMap((term) => term.forms))];
  const words = weightedWords(site);
  const weightOf = (form: string) => words.find(({ forms }) => forms.includes(form))?.weight ?? 0;
  const { averageLength } = site;
  const features = { hashes: forms.map(termHash), weights: forms.map(weightOf), averageLength, vector };
  const tests = pageTests({ ...query, filters: scope.filters ?? [] }, scope);
  const { limit, chunksPerPage = 1 } = query;
  const queries: Record<string, ScopedQuery> = { totals: totals(scope) };
  if (site.chunks === 0) return { site, forms, queries };
  if (words.length > 0) queries.words = byWords(scope, { tests, features, words, limit, chunksPerPage });
  if (!vector) return { site, forms, queries };
  const near = { features, vector, limit: Math.min(limit, MOST_BY_VECTOR), chunksPerPage };
  queries.vector = byVector(scope, { ...near, tests });
  for (const [i, group] of boostedGroups(scope.boosts ?? NO_BOOSTS).entries())
    queries[`vector of group ${i}`] = byVector(scope, { ...near, tests: [...tests, groupClause(group, scope)] });
  return { site, forms, queries };
}

/** The terms that the site has; question words alone find nothing. */
function weightedWords(site: SiteQuery): readonly WeightedWord[] {
  const weights = termWeights(site.terms, site);
  return site.terms.flatMap(({ forms, question }, i) => {
    if (question || site.documentFrequency[i] === 0) return [];
    return [{ forms, weight: weights[i] ?? 0 }];
  });
}

const isStale = ({ site, answers }: AnsweredPlan): boolean =>
  site.isCached && totalsOf(answers.totals).version !== site.version;

function candidates(query: CandidateQuery, answered: readonly AnsweredPlan[]): Candidates {
  const { vector } = query;
  const vectorLength = Math.sqrt(vector?.reduce((sum, number) => sum + number * number, 0) ?? 0);
  return {
    others: 0,
    statistics: new Map(answered.map(({ site }) => [site.scope.siteId, statisticsOf(site)])),
    pages: answered.flatMap(({ site, forms, answers: { totals: _, ...others } }) =>
      pageCandidates(
        Object.values(others).map((answer) => bestOf(answer, limitOfSite(query))),
        site.scope,
        { terms: site.terms, forms, vectorLength },
      ),
    ),
  };
}

const statisticsOf = ({ chunks, averageLength, documentFrequency }: SiteQuery) => ({
  ...{ chunks, averageLength, documentFrequency },
});
