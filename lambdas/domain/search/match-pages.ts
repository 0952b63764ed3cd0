import { COSINE_SCALES } from '../../text/words/cosine-scale.ts';
import { UnavailableError } from '../errors.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { IndexReader } from '../ports/index-reader.ts';
import { type FoundPages, findPages, MAX_RESULTS, type PageQuery } from './find-pages.ts';
import { type Correction, planQuery, type QueryPlan } from './query/query-plan.ts';
import { type Reading, type ReadQuery, readQuery } from './query/read-query.ts';
import { DEFAULT_MIN_SCORE, type SearchRequest } from './search-request.ts';
import { isNonEmpty, languagesOf, type SearchedSite, scopesOf } from './searched-site.ts';

/** Least rise of the best score for corrections to be used. */
const MUCH_BETTER = 0.1;
/** Levels of correction for a query that finds nothing, tried in this order. */
const CORRECTED = ['likely', 'names', 'other', 'any'] as const;
/** If embedding the query takes longer, words alone decide. */
const EMBEDDING_DEADLINE_MS = 800;
/** Pages with the quoted phrases are raised to this score if none of them reaches `minScore`. */
const HOLDING_SCORE = DEFAULT_MIN_SCORE;

export type MatchDeps = { readonly index: IndexReader; readonly embedder: Embedder };

export type Matches = FoundPages & {
  readonly corrections: readonly Correction[];
  readonly phraseDropped: boolean;
  /** The embedder failed or was too slow: words alone decided. */
  readonly degraded: boolean;
};

/** The inputs that all attempts of one search share. */
type Search = MatchDeps &
  Pick<PageQuery, 'sites' | 'scopes'> & {
    readonly languages: readonly string[];
    readonly request: SearchRequest;
    readonly query: ReadQuery;
  };

const NO_MATCHES = { pages: [], others: 0, chunks: [], terms: [], corrections: [], phraseDropped: false } as const;

/** Returns the pages that match a query, ranked, and its terms. Reads no passages except to compare titles. */
export async function matchPages(
  sites: readonly SearchedSite[],
  request: SearchRequest,
  { index, embedder }: MatchDeps,
): Promise<Matches> {
  const scopes = scopesOf(sites);
  if (!isNonEmpty(scopes)) return { ...NO_MATCHES, degraded: false };
  const languages = languagesOf(sites.map(({ site }) => site));
  const query = readQuery(request, languages);
  const search = { sites, scopes, languages, request, query, index, embedder };
  if (!query.strict) return firstThatFinds(query.readings, search);
  const found = await holdingPhrases(query.strict, search);
  return found ?? { ...(await firstThatFinds(query.readings, search)), phraseDropped: true };
}

/** Returns the pages with the quoted phrases. Includes low scores only if there are no others. Undefined if none. */
async function holdingPhrases(
  { reading, phrases: requiredPhrases }: NonNullable<ReadQuery['strict']>,
  search: Search,
): Promise<Matches | undefined> {
  const plan = await planned(reading, search);
  const first = await attempt(plan, search, { requiredPhrases });
  if (first.pages.length > 0) return first;
  const holding = await attempt(plan, search, { requiredPhrases, minScore: 0 });
  if (holding.pages.length === 0) return undefined;
  return search.request.minScore > HOLDING_SCORE ? first : withLeast(holding, HOLDING_SCORE);
}

const withLeast = (found: Matches, least: number): Matches => ({
  ...found,
  pages: found.pages.map((hit) => ({ ...hit, score: Math.max(hit.score, least) })),
});

/**
 * Returns the matches of the first reading that has any. Corrects words only if the query as typed finds nothing, or if
 * the corrected query scores much higher.
 */
async function firstThatFinds(
  [reading, ...others]: readonly [Reading, ...Reading[]],
  search: Search,
): Promise<Matches> {
  const plan = await planned(reading, search);
  const first = await attempt(plan, search);
  if (first.pages.length > 0) return plan.unknownWords > 0 ? betterCorrected(reading, first, search) : first;
  const tried = new Set([plan.text]);
  for (const other of [...others, ...furtherReadings(reading, plan)]) {
    const next = await planned(other, search);
    if (tried.has(next.text)) continue;
    tried.add(next.text);
    const found = await attempt(next, search);
    if (found.pages.length > 0) return found;
  }
  return first;
}

/** Corrects the unknown words. Returns the new matches if they score much higher, else the first ones. */
async function betterCorrected(reading: Reading, first: Matches, search: Search): Promise<Matches> {
  const plan = await planned({ ...reading, correctsWords: 'likely' }, search);
  if (plan.corrections.length === 0) return first;
  const found = await attempt(plan, search);
  return bestScore(found) >= bestScore(first) + MUCH_BETTER ? found : first;
}

const bestScore = ({ pages }: Matches): number => pages[0]?.score ?? 0;

/** Returns the readings to try after a query that finds nothing. */
function furtherReadings(reading: Reading, plan: QueryPlan): readonly Reading[] {
  if (reading.exact) return [];
  const corrections: readonly Partial<Reading>[] =
    plan.unknownWords > 0 ? CORRECTED.map((correctsWords) => ({ correctsWords })) : [{ correctsKnown: true }];
  const otherTexts = plan.otherTexts.map((text) => ({ text, correctsWords: 'names' as const }));
  return [...corrections, ...otherTexts].map((change) => ({ ...reading, ...change }));
}

const planned = (reading: Reading, { scopes, languages, index, embedder }: Search): Promise<QueryPlan> =>
  planQuery(reading, { scopes, languages, index, isWord: embedder.isWord });

async function attempt(
  plan: QueryPlan,
  { sites, scopes, request, query, index, embedder }: Search,
  { requiredPhrases = [], minScore = request.minScore }: Partial<PageQuery> = {},
): Promise<Matches> {
  const { vector, scales, degraded } = await queryVector(plan.text, embedder);
  const pageQuery: PageQuery = {
    sites,
    scopes,
    plan,
    vector,
    scales,
    requiredPhrases,
    minScore,
    excludedPhrases: query.excludedPhrases,
    preferredPhrases: query.preferredPhrases,
    chunksPerPage: 1 + (request.sections ?? 0),
  };
  const found = await findPages(pageQuery, shownOf(request), index);
  return { ...found, corrections: plan.corrections, phraseDropped: false, degraded };
}

/** Returns the number of top pages needed. Facets need all of them. */
export const shownOf = ({ offset, limit, facets }: SearchRequest): number => (facets ? MAX_RESULTS : offset + limit);

async function queryVector(
  query: string,
  embedder: Embedder,
): Promise<Pick<PageQuery, 'vector' | 'scales'> & Pick<Matches, 'degraded'>> {
  if (query === '') return { degraded: false };
  try {
    const [vector, model] = await Promise.all([embedder.embedQuery(query, EMBEDDING_DEADLINE_MS), embedder.scale?.()]);
    return { vector, ...(model && { scales: { ...COSINE_SCALES, model } }), degraded: false };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { degraded: true };
  }
}
