import { type CandidateQuery, type Candidates, MAX_GROUP_CANDIDATES } from '../../../core/ports/page-index.ts';
import { TYPO_WEIGHT, termWeights } from '../../../core/search/ranking.ts';
import { hitsOf, pageCandidates } from './candidate-hits.ts';
import { type EngineIndex, searchEach } from './engine-search.ts';
import { groupClause, pageTests } from './page-clauses.ts';
import { shortVector } from './page-document.ts';
import { byVector, byWords, type ScopedQuery, type Sought, totals, type WeighedWord } from './scoped-queries.ts';
import { totalsOf } from './site-totals.ts';
import type { SiteQuery, SiteWords } from './site-words.ts';
import { termHash } from './term-places.ts';

type Deps = { readonly index: EngineIndex; readonly words: SiteWords; readonly dimensions: number };

/**
 * What may answer a query, in one round trip if its words are known of the sites. The same trip counts the pages: if they are others
 * than when the words were remembered, all is asked once more.
 */
export async function findCandidates(query: CandidateQuery, deps: Deps): Promise<Candidates> {
  const vector = query.vector && shortVector(query.vector, deps.dimensions);
  const ask = async (anew: boolean): Promise<readonly Answered[]> => {
    const sites = await deps.words.of(deps.index, { ...query, anew });
    const plans = sites.map((site) => plan(query, site, vector));
    const answers = await searchEach(
      deps.index,
      plans.map(({ queries }) => queries),
    );
    return plans.map((made, place) => ({ ...made, answers: answers[place] ?? [] }));
  };
  const answered = await ask(false);
  return candidates(query, answered.some(isStale) ? await ask(true) : answered);
}

type Plan = {
  readonly site: SiteQuery;
  /** All forms of all terms. */
  readonly forms: readonly string[];
  readonly hasWords: boolean;
  /** The totals first; then, if there are words, all pages by words. */
  readonly queries: readonly ScopedQuery[];
};
type Answered = Plan & { readonly answers: readonly unknown[] };

/** By words and by vector, of all pages and of each group. */
function plan(query: CandidateQuery, site: SiteQuery, vector: Sought['vector']): Plan {
  const { scope } = site;
  const forms = [...new Set(site.terms.flatMap((term) => term.forms))];
  const sought = { hashes: forms.map(termHash), vector };
  const words = weighedWords(site);
  const tests = pageTests(query);
  const groupLimit = Math.min(query.limit, MAX_GROUP_CANDIDATES);
  const rounds = [
    { tests, limit: query.limit, more: 1 },
    ...query.groups.map((group) => ({ tests: [...tests, groupClause(group, scope)], limit: groupLimit, more: 0 })),
  ];
  const searches = rounds.flatMap(({ more, limit, ...round }) => [
    ...(words.length > 0 ? [byWords(scope, { ...round, sought, words, limit: limit + more })] : []),
    ...(vector ? [byVector(scope, { ...round, sought, vector, limit })] : []),
  ]);
  const queries = [totals(scope), ...(site.chunks > 0 ? searches : [])];
  return { site, forms, hasWords: words.length > 0, queries };
}

/** Those that the site has, or may have meant; question words find nothing by themselves. */
function weighedWords(site: SiteQuery): readonly WeighedWord[] {
  const weights = termWeights(site.terms, site);
  return site.terms.flatMap(({ forms, question }, place) => {
    const isTypo = site.typos[place] === true;
    if (question || (site.documentFrequency[place] === 0 && !isTypo)) return [];
    return [{ forms, weight: (weights[place] ?? 0) * (isTypo ? TYPO_WEIGHT : 1) }];
  });
}

const isStale = ({ site, answers: [counted] }: Answered): boolean =>
  site.remembered && totalsOf(counted).version !== site.version;

function candidates({ limit, vector }: CandidateQuery, answered: readonly Answered[]): Candidates {
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
