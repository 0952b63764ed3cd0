import type { CandidateQuery, Candidates, PageCandidate, SearchScope } from '../../../core/ports/page-index.ts';
import { termWeights } from '../../../core/search/bm25.ts';
import { countsAsBoost, NO_BOOSTS, pageFactor } from '../../../core/search/boosts.ts';
import { scorer } from '../../../core/search/ranking.ts';
import { WeightedTerms } from '../../../core/search/weighted-terms.ts';
import type { FeatureQuery } from './best-chunks.ts';
import { boostedGroups } from './boost-clauses.ts';
import { type BestPages, bestOf, type HitsQuery, pageCandidates } from './candidate-hits.ts';
import { type IndexRef, multiSearch } from './multi-search.ts';
import { type Clause, groupClause, pageTests } from './page-clauses.ts';
import { storedVector } from './page-document.ts';
import { byVector, byWords, type ScopedQuery, totals, type WeightedWord } from './scoped-queries.ts';
import type { SiteQuery, SiteTermCache } from './site-term-cache.ts';
import { totalsOf } from './site-totals.ts';

/** When several sites are searched: pages read of each site by words, and again by vector, at least. */
const LEAST_OF_SITE = 10;
/** Pages with none of the words rarely pass, so fewer of them are read. */
const MOST_BY_VECTOR = 50;
/** If a page in this last part of a list reaches the least score, those that follow may too. */
const END = 0.2;
/** A list is read again this many times as long, up to `LONGEST`. */
const LONGER = 4;
const LONGEST = 1000;

type Deps = { readonly index: IndexRef; readonly siteTerms: SiteTermCache; readonly dimensions: number };

/**
 * One round trip if the term statistics of all sites are cached. It also reads the current versions of the sites: if
 * one has changed since, the search is repeated without the cache. Lists that may go on with pages that reach
 * `minScore` are read again and longer, unless there are `limit` of these already. If pages are lowered, then also
 * lists that may go on with some of the best `limit`: a boost takes a page further down a list than down the results.
 */
export async function findCandidates(query: CandidateQuery, deps: Deps): Promise<Candidates> {
  const vector = query.vector && storedVector(query.vector, deps.dimensions);
  const search = async (bypassCache: boolean): Promise<readonly AnsweredPlan[]> => {
    const { scopes, terms } = query;
    const sites = await deps.siteTerms.lookUp(deps.index, { scopes, terms, bypassCache });
    return answered(
      sites.map((site, i) => planOf(query, scopes[i] ?? site.scope, site, vector)),
      deps.index,
    );
  };
  const first = await search(false);
  let plans = first.some(({ isStale }) => isStale) ? await search(true) : first;
  for (let longer = withLongerLists(plans, query); longer.length > 0; longer = withLongerLists(plans, query))
    plans = withLists(plans, await answered(longer, deps.index));
  return candidates(plans);
}

/** Pages of a site in the order of one kind of evidence. */
type PageList = {
  readonly name: string;
  readonly limit: number;
  readonly queryOf: (limit: number) => ScopedQuery;
};
type Plan<List = PageList> = {
  readonly scope: SearchScope;
  readonly site: SiteQuery;
  readonly hits: HitsQuery;
  /** By words, by vector, and by vector in each boosted group; none for an empty site. */
  readonly lists: readonly List[];
};
type AnsweredPlan = Plan<PageList & { readonly found: BestPages }> & {
  /** The site has changed since its term statistics were cached. */
  readonly isStale: boolean;
};

/** Reads all lists in one round trip. */
async function answered(plans: readonly Plan[], index: IndexRef): Promise<readonly AnsweredPlan[]> {
  const queries = plans.map(({ scope, lists }) => [
    totals(scope),
    ...lists.map(({ limit, queryOf }) => queryOf(limit)),
  ]);
  const answers = (await multiSearch(index, queries.flat())).values();
  return plans.map((plan) => {
    const { version } = totalsOf(answers.next().value);
    const lists = plan.lists.map((list) => ({ ...list, found: bestOf(answers.next().value, list.limit) }));
    return { ...plan, isStale: plan.site.isCached && version !== plan.site.version, lists };
  });
}

const withLists = (plans: readonly AnsweredPlan[], longer: readonly AnsweredPlan[]): readonly AnsweredPlan[] =>
  plans.map((plan, i) => ({
    ...plan,
    lists: plan.lists.map((list) => longer[i]?.lists.find(({ name }) => name === list.name) ?? list),
  }));

/** For each site the lists to be read again; nothing if all are long enough. */
function withLongerLists(plans: readonly AnsweredPlan[], query: CandidateQuery): readonly Plan[] {
  const passing = plans.flatMap((plan) => passingPages(plan, query));
  if (passing.length >= query.limit && !plans.some(lowersPages)) return [];
  const best = passing.sort((a, b) => b.score - a.score).slice(0, query.limit);
  const longer = plans.map((plan) => {
    const ofPlan = best.flatMap((page) => (page.plan === plan ? [page.urlHash] : []));
    return { ...plan, lists: longerLists(plan, new Set(ofPlan)) };
  });
  return longer.some(({ lists }) => lists.length > 0) ? longer : [];
}

/** Lists at whose end is a page that passes and that no other list has. */
function longerLists({ lists }: AnsweredPlan, passing: ReadonlySet<string>): readonly PageList[] {
  const hashes = lists.map(({ found }) => found.pages.map(({ urlHash }) => urlHash));
  return lists.flatMap(({ found: _, ...list }, i) => {
    const pages = hashes[i] ?? [];
    const isElsewhere = (page: string) => hashes.some((others, other) => other !== i && others.includes(page));
    const end = pages.slice(-Math.ceil(END * list.limit));
    const goesOn = pages.length >= list.limit && end.some((page) => passing.has(page) && !isElsewhere(page));
    const limit = Math.min(LONGEST, LONGER * list.limit);
    return goesOn && limit > list.limit ? [{ ...list, limit }] : [];
  });
}

function passingPages(plan: AnsweredPlan, { terms, scales, minScore = 0 }: CandidateQuery) {
  const scoreOf = scorer(terms, { ...plan.site, scales });
  const boosts = plan.scope.boosts ?? NO_BOOSTS;
  return pagesOf(plan).flatMap((page) => {
    const score = pageFactor(page, boosts) * Math.max(...page.chunks.map((chunk) => scoreOf(page, chunk)));
    return score >= minScore ? [{ plan, urlHash: page.urlHash, score }] : [];
  });
}

const lowersPages = ({ scope: { boosts = NO_BOOSTS } }: AnsweredPlan): boolean =>
  [...boosts.tagBoosts, ...boosts.urlBoosts].some(({ boost }) => boost < 1 && countsAsBoost(boost));

const pagesOf = ({ lists, scope, hits }: Pick<AnsweredPlan, 'lists' | 'scope' | 'hits'>): readonly PageCandidate[] =>
  pageCandidates(
    lists.map(({ found }) => found),
    scope,
    hits,
  );

/** Each site is searched by itself. Of many sites fewer pages each are read: their features take most of the time. */
const limitOfSite = ({ limit, scopes }: CandidateQuery): number =>
  Math.min(limit, Math.max(LEAST_OF_SITE, Math.ceil((2 * limit) / scopes.length)));

function planOf(query: CandidateQuery, scope: SearchScope, site: SiteQuery, vector: FeatureQuery['vector']): Plan {
  const forms = [...new Set(site.terms.flatMap((term) => term.forms))];
  const vectorLength = Math.hypot(...(query.vector ?? []));
  const plan = { scope, site, hits: { terms: site.terms, forms, vectorLength } };
  if (site.chunks === 0) return { ...plan, lists: [] };
  const words = weightedWords(site);
  const tests = pageTests({ ...query, filters: scope.filters ?? [] }, scope);
  const { chunksPerPage = 1 } = query;
  const weighted = new WeightedTerms(site.terms, { ...site, scales: query.scales });
  const features = { query: site.terms, forms, weighted, averageLength: site.averageLength, vector, vectorLength };
  const shared = { features, tests, chunksPerPage };
  const limit = limitOfSite(query);
  const ofWords: PageList = { name: 'words', limit, queryOf: (limit) => byWords(scope, { ...shared, words, limit }) };
  const lists = words.length > 0 ? [ofWords] : [];
  if (!vector) return { ...plan, lists };
  const near = (name: string, more: readonly Clause[] = []): PageList => ({
    name,
    limit: Math.min(limit, MOST_BY_VECTOR),
    queryOf: (limit) => byVector(scope, { ...shared, tests: [...tests, ...more], vector, limit }),
  });
  const groups = boostedGroups(scope.boosts ?? NO_BOOSTS).map((group, i) =>
    near(`vector, group ${i}`, [groupClause(group, scope)]),
  );
  return { ...plan, lists: [...lists, near('vector'), ...groups] };
}

/** The terms that the site has; question words alone find nothing. */
function weightedWords(site: SiteQuery): readonly WeightedWord[] {
  const weights = termWeights(site.terms, site);
  return site.terms.flatMap(({ forms, question }, i) => {
    if (question || site.documentFrequency[i] === 0) return [];
    return [{ forms, weight: weights[i] ?? 0 }];
  });
}

const candidates = (plans: readonly AnsweredPlan[]): Candidates => ({
  others: 0,
  statistics: new Map(plans.map(({ scope, site }) => [scope.siteId, statisticsOf(site)])),
  pages: plans.flatMap(pagesOf),
});

const statisticsOf = ({ chunks, averageLength, documentFrequency }: SiteQuery) => ({
  ...{ chunks, averageLength, documentFrequency },
});
