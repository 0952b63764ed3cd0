import type { CandidateQuery, Candidates, PageCandidate, SearchScope } from '../../../domain/ports/index-reader.ts';
import { termWeights } from '../../../domain/search/rank/bm25.ts';
import { NO_BOOSTS, pageFactor } from '../../../domain/search/rank/boosts.ts';
import { scorer } from '../../../domain/search/rank/ranking.ts';
import { WeightedTerms } from '../../../domain/search/rank/weighted-terms.ts';
import { storedVector } from '../index/page-document.ts';
import type { FeatureQuery } from './best-chunks.ts';
import { boostedGroups } from './boost-clauses.ts';
import { type BestPages, bestOf, type HitsQuery, pageCandidates } from './candidate-hits.ts';
import { type IndexRef, type MultiSearchAnswer, multiSearch } from './multi-search.ts';
import { type Clause, exceptPages, groupClause, pageTests } from './page-clauses.ts';
import { byVector, byWords, type ScopedQuery, totals, type WeightedWord } from './scoped-queries.ts';
import type { SiteQuery, SiteTermCache } from './site-term-cache.ts';
import { totalsOf } from './site-totals.ts';

/** Minimum number of pages read of each site, by words and again by vector, when several sites are searched. */
const MIN_OF_SITE = 10;
/** Maximum number of pages read by vector. Pages without any of the words rarely reach the minimum score. */
const MAX_BY_VECTOR = 50;
/** Share of a list that counts as its end. If it holds one of the best pages, more of them may follow. */
const END = 0.2;
/** Factor by which a list is extended, up to `LONGEST` pages. */
const LONGER = 4;
const LONGEST = 1000;

type Deps = { readonly index: IndexRef; readonly siteTerms: SiteTermCache; readonly dimensions: number };

/**
 * Finds candidates in one round trip if the term statistics of all sites are cached. The request also reads the current
 * version of each site; if one has changed, the search is repeated without the cache. A list is extended if more of the
 * best `limit` pages that reach `minScore` may follow, because its order differs from that of the results.
 */
export async function findCandidates(query: CandidateQuery, deps: Deps): Promise<Candidates> {
  const vector = query.vector && storedVector(query.vector, deps.dimensions);
  const search = async (bypassCache: boolean) => {
    const { scopes, terms } = query;
    const sites = await deps.siteTerms.lookUp(deps.index, { scopes, terms, bypassCache });
    const plans = sites.map((site, i) => planOf(query, scopes[i] ?? site.scope, site, vector));
    return readOn(
      plans,
      deps.index,
      plans.map(({ scope }) => totals(scope)),
    );
  };
  const isStale = ({ plans, beside }: Read): boolean =>
    plans.some(({ site }, i) => site.isCached && site.version !== totalsOf(beside[i]).version);
  const first = await search(false);
  let { plans } = isStale(first) ? await search(true) : first;
  for (;;) {
    const best = bestPages(plans, query);
    plans = plans.map((plan) => withLongerLists(plan, best));
    if (!plans.some(({ lists }) => lists.some(isUnread)))
      return { others: 0, statistics: statisticsOf(plans), pages: best };
    ({ plans } = await readOn(plans, deps.index));
  }
}

/** Pages of a site, ordered by one kind of evidence. */
type PageList = {
  /** How many pages are wanted, and how many have been requested. */
  readonly limit: number;
  readonly asked: number;
  readonly found: BestPages;
  readonly queryOf: (limit: number, tests: readonly Clause[]) => ScopedQuery;
};
type Plan = {
  readonly scope: SearchScope;
  readonly site: SiteQuery;
  readonly hits: HitsQuery;
  /** One list by words, one by vector, and one by vector for each boosted group; none for an empty site. */
  readonly lists: readonly PageList[];
};
type Read = { readonly plans: readonly Plan[]; readonly beside: readonly MultiSearchAnswer[] };

/** Reads all lists up to their limits, together with the queries `beside`, in one round trip. */
async function readOn(plans: readonly Plan[], index: IndexRef, beside: readonly ScopedQuery[] = []): Promise<Read> {
  const rests = plans.flatMap(({ scope, lists }) =>
    lists
      .filter(isUnread)
      .map(({ queryOf, limit, asked, found }) => queryOf(limit - asked, exceptPages(scope, found.pages))),
  );
  const answers = await multiSearch(index, [...beside, ...rests]);
  const ofRests = answers.slice(beside.length).values();
  const read = (list: PageList): PageList => {
    if (!isUnread(list)) return list;
    const { limit, asked, found } = list;
    const rest = bestOf(ofRests.next().value, limit - asked);
    const pages = [...found.pages, ...rest.pages];
    return { ...list, asked: limit, found: { pages, chunks: [...found.chunks, ...rest.chunks] } };
  };
  return {
    plans: plans.map((plan) => ({ ...plan, lists: plan.lists.map(read) })),
    beside: answers.slice(0, beside.length),
  };
}

const isUnread = ({ limit, asked }: PageList): boolean => asked < limit;

/** Returns the best `limit` pages that reach `minScore`, best first. */
function bestPages(plans: readonly Plan[], { terms, scales, limit, minScore = 0 }: CandidateQuery) {
  const passing = plans.flatMap((plan) => {
    const scoreOf = scorer(terms, { ...plan.site, scales });
    const boosts = plan.scope.boosts ?? NO_BOOSTS;
    const found = plan.lists.map((list) => list.found);
    return pageCandidates(found, plan.scope, plan.hits).flatMap((page) => {
      const score = pageFactor(page, boosts) * Math.max(...page.chunks.map((chunk) => scoreOf(page, chunk)));
      return score >= minScore ? [{ page, score }] : [];
    });
  });
  const best = passing.sort((a, b) => b.score - a.score).slice(0, limit);
  return best.map(({ page }) => page);
}

/** Extends each list whose end holds one of the best pages that no other list has. */
function withLongerLists(plan: Plan, best: readonly PageCandidate[]): Plan {
  const { siteId } = plan.scope;
  const bestOfSite = new Set(best.flatMap((page) => (page.siteId === siteId ? [page.urlHash] : [])));
  const hashes = plan.lists.map(({ found }) => found.pages.map(({ urlHash }) => urlHash));
  const lists = plan.lists.map((list, i) => {
    const { limit } = list;
    const pages = hashes[i] ?? [];
    const isElsewhere = (page: string) => hashes.some((others, other) => other !== i && others.includes(page));
    const end = pages.slice(-Math.ceil(END * limit));
    const goesOn = pages.length >= limit && end.some((page) => bestOfSite.has(page) && !isElsewhere(page));
    return goesOn ? { ...list, limit: Math.min(LONGEST, LONGER * limit) } : list;
  });
  return { ...plan, lists };
}

/**
 * Returns the number of pages to read of each site. It falls with the number of sites, because features take most of
 * the time.
 */
const limitOfSite = ({ limit, scopes }: CandidateQuery): number =>
  Math.min(limit, Math.max(MIN_OF_SITE, Math.ceil((2 * limit) / scopes.length)));

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
  const shared = { features, chunksPerPage };
  const limit = limitOfSite(query);
  const unread = { asked: 0, found: { pages: [], chunks: [] } };
  const ofWords: PageList = {
    ...unread,
    limit,
    queryOf: (limit, more) => byWords(scope, { ...shared, tests: [...tests, ...more], words, limit }),
  };
  const lists = words.length > 0 ? [ofWords] : [];
  if (!vector) return { ...plan, lists };
  const near = (ofGroup: readonly Clause[] = []): PageList => ({
    ...unread,
    limit: Math.min(limit, MAX_BY_VECTOR),
    queryOf: (limit, more) => byVector(scope, { ...shared, tests: [...tests, ...ofGroup, ...more], vector, limit }),
  });
  const groups = boostedGroups(scope.boosts ?? NO_BOOSTS).map((group) => near([groupClause(group, scope)]));
  return { ...plan, lists: [...lists, near(), ...groups] };
}

/** Returns the terms that occur in the site, without question words, which alone find nothing. */
function weightedWords(site: SiteQuery): readonly WeightedWord[] {
  const weights = termWeights(site.terms, site);
  return site.terms.flatMap(({ forms, question }, i) => {
    if (question || site.documentFrequency[i] === 0) return [];
    return [{ forms, weight: weights[i] ?? 0 }];
  });
}

const statisticsOf = (plans: readonly Plan[]): Candidates['statistics'] =>
  new Map(
    plans.map(({ scope, site: { chunks, averageLength, documentFrequency } }) => [
      scope.siteId,
      { chunks, averageLength, documentFrequency },
    ]),
  );
