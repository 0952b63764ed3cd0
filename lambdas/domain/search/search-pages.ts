import { COSINE_SCALES } from '../../text/words/cosine-scale.ts';
import type { Clock } from '../clock.ts';
import { steadyClock } from '../clock.ts';
import { UnavailableError } from '../errors.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { IndexReader } from '../ports/index-reader.ts';
import type { SiteRecord, SiteSettings } from '../sites/site.ts';
import {
  FIRST_RESULTS,
  type FoundPages,
  findPages,
  isNonEmpty,
  MOST_RESULTS,
  type PageQuery,
  type SearchedSite,
  scopesOf,
} from './find-pages.ts';
import { type Correction, type PlanRequest, planQuery, type QueryPlan } from './query/query-plan.ts';
import { parseQuery, stemmedPhrases } from './query/query-syntax.ts';
import { typedWords } from './query/query-words.ts';
import { type Facet, facetsAmong, facetsInIndex, facetsOf } from './results/facet-counts.ts';
import { type SearchResult, shownResults } from './results/search-results.ts';
import { DEFAULT_MIN_SCORE, type SearchRequest } from './search-request.ts';

/** Below it an answer may be that to a word which the site has, and which was misspelt. */
const POOR_SCORE = 0.65;
/** By how much the score must rise with a correction of a word that the site has. */
const MUCH_BETTER = 0.25;

export type SearchDeps = { readonly index: IndexReader; readonly embedder: Embedder; readonly clock: Clock };

/** What every answer to a search has. */
export type Found<Result extends SearchResult = SearchResult> = {
  readonly query: string;
  readonly results: readonly Result[];
  /** True up to 100. */
  readonly totalResults: number;
  readonly totalIsLowerBound?: true;
  readonly corrections?: readonly Correction[];
  readonly phraseDropped?: true;
  readonly facets?: readonly Facet[];
  readonly timingMs: number;
};

/** If the vector takes longer, the query is answered without it. */
const EMBEDDING_DEADLINE_MS = 800;
/** In a question with more words outside of quotes, the quotes are a preference. */
const MOST_WORDS_BESIDE_PHRASE = 8;
/** Least score of a page that holds the quoted phrases, if no other page that holds them has more. */
const HOLDING_SCORE = DEFAULT_MIN_SCORE;

/** The pages of the sites that match a query, best first. If the embedder fails, words alone decide. */
export async function searchPages<Result extends SearchResult>(
  sites: readonly SearchedSite[],
  request: SearchRequest,
  resultOf: (result: SearchResult, site: SiteRecord) => Result,
  deps: SearchDeps,
): Promise<{ readonly found: Found<Result>; readonly degraded: boolean }> {
  const clock = steadyClock(deps.clock);
  const started = clock();
  const facets = request.facets && facetsOf(settingsOf(sites), request.facets);
  const { pages, others, chunks, terms, corrections, phraseDropped, degraded } = await foundPages(sites, request, deps);
  const total = pages.length + others;
  const isMore = total > FIRST_RESULTS;
  const shown = pages.slice(request.offset, request.offset + request.limit);
  const found = {
    query: request.query,
    results: await shownResults(shown, {
      ...{ chunks, terms, sections: request.sections ?? 0, sites },
      ...{ index: deps.index, resultOf },
    }),
    totalResults: shownOf(request) > FIRST_RESULTS ? total : Math.min(total, FIRST_RESULTS),
    ...(isMore && { totalIsLowerBound: true as const }),
    ...(corrections.length > 0 && { corrections }),
    ...(phraseDropped && { phraseDropped: true as const }),
    ...(facets && { facets: facetsAmong(facets, refsOf(pages)) }),
    timingMs: Math.max(0, Math.round(clock() - started)),
  };
  return { found, degraded };
}

/** The facets of the sites, counted among the pages that match the query at the default `minScore`, or among all. */
export async function searchFacets(
  sites: readonly SearchedSite[],
  query: string | undefined,
  deps: SearchDeps,
): Promise<{ readonly facets: readonly Facet[]; readonly degraded: boolean }> {
  const facets = facetsOf(settingsOf(sites));
  if (query === undefined) return { facets: await facetsInIndex(facets, scopesOf(sites), deps.index), degraded: false };
  const request = { query, limit: 0, offset: 0, minScore: DEFAULT_MIN_SCORE, facets: [] };
  const { pages, degraded } = await foundPages(sites, request, deps);
  return { facets: facetsAmong(facets, refsOf(pages)), degraded };
}

const settingsOf = (sites: readonly SearchedSite[]): readonly SiteSettings[] => sites.map(({ site }) => site.settings);
const refsOf = (pages: FoundPages['pages']) => pages.map(({ ref }) => ref);

/** How many of the first pages are needed. Facets count all of them. */
const shownOf = ({ offset, limit, facets }: SearchRequest): number => (facets ? MOST_RESULTS : offset + limit);

type Answer = FoundPages & {
  readonly corrections: readonly Correction[];
  readonly phraseDropped: boolean;
  readonly degraded: boolean;
};

/** The pages that match a query, ranked, and its terms. No text is read. */
export async function foundPages(
  sites: readonly SearchedSite[],
  request: SearchRequest,
  { index, embedder }: Pick<SearchDeps, 'index' | 'embedder'>,
): Promise<Answer> {
  const { autocomplete = true, exact = false, sections = 0 } = request;
  const scopes = scopesOf(sites);
  const languages = [...new Set(sites.flatMap(({ site }) => site.state.languages ?? []))];
  const { text, beside, phrases, without } = parseQuery(request.query);
  const planRequest: PlanRequest = {
    ...{ text, quoted: phrases, exact },
    completes: autocomplete && endsWithWord(request.query, phrases, without),
  };
  if (!isNonEmpty(scopes)) return { pages: [], others: 0, chunks: [], terms: [], ...NOTHING, degraded: false };
  const deps = { scopes, languages, index, isWord: embedder.isWord };
  const stemmed = stemmedPhrases(phrases, languages);
  const isPreference = stemmed.length > 0 && wordCount(beside) > MOST_WORDS_BESIDE_PHRASE;
  const required = isPreference ? [] : stemmed;
  const search = async (
    plan: QueryPlan,
    { requiredPhrases = [], minScore = request.minScore }: Partial<PageQuery> = {},
  ): Promise<Answer> => {
    const { vector, degraded, scales } = await queryVector(plan.text, embedder);
    const query: PageQuery = {
      ...{ plan, vector, scales, requiredPhrases, minScore, chunksPerPage: 1 + sections },
      excludedPhrases: stemmedPhrases(without, languages),
      boostedPhrases: isPreference ? stemmed : [],
    };
    const found = await findPages(sites, query, { shown: shownOf(request), index });
    return { ...found, corrections: plan.corrections, phraseDropped: false, degraded };
  };
  const planned = (changed: PlanRequest) => planQuery(changed, deps);
  if (required.length === 0) {
    const withoutPhrases = isPreference ? [{ text: beside, quoted: [] }] : [];
    return searchedAgain(planRequest, withoutPhrases, { search, planned });
  }
  const plan = await planned(planRequest);
  const first = await search(plan, { requiredPhrases: required });
  if (first.pages.length > 0) return first;
  const holding = await search(plan, { requiredPhrases: required, minScore: 0 });
  if (holding.pages.length > 0) return request.minScore > HOLDING_SCORE ? first : withLeast(holding, HOLDING_SCORE);
  const completes = autocomplete && without.length === 0 && endsWithWord(text, [], []);
  const unquoted = await searchedAgain(
    { ...planRequest, quoted: [], completes },
    beside === '' ? [] : [{ text: beside }],
    { search, planned },
  );
  return { ...unquoted, phraseDropped: true };
}

type Attempts = {
  readonly search: (plan: QueryPlan) => Promise<Answer>;
  readonly planned: (request: PlanRequest) => Promise<QueryPlan>;
};

/** The answer to the first of the requests that finds something, else to the first one. */
async function searchedAgain(
  request: PlanRequest,
  others: readonly Partial<PlanRequest>[],
  { search, planned }: Attempts,
): Promise<Answer> {
  const plan = await planned(request);
  const first = await search(plan);
  const mayBeMisspelt = !request.exact && plan.unknownWords === 0 && bestScore(first) < POOR_SCORE;
  if (first.pages.length > 0) return mayBeMisspelt ? betterCorrected(request, first, { search, planned }) : first;
  for (const changes of [...others, ...(request.exact ? [] : furtherAttempts(plan))]) {
    const found = await search(await planned({ ...request, ...changes }));
    if (found.pages.length > 0) return found;
  }
  return first;
}

/** The answer to the query with a known word corrected, if it is much better than the first one. */
async function betterCorrected(request: PlanRequest, first: Answer, { search, planned }: Attempts): Promise<Answer> {
  const plan = await planned({ ...request, correctsKnown: 'likely' });
  if (plan.corrections.length === 0) return first;
  const found = await search(plan);
  return bestScore(found) / plan.confidence >= bestScore(first) + MUCH_BETTER ? found : first;
}

const bestScore = ({ pages }: Answer): number => pages[0]?.score ?? 0;

const withLeast = (answer: Answer, least: number): Answer => ({
  ...answer,
  pages: answer.pages.map((hit) => ({ ...hit, score: Math.max(hit.score, least) })),
});

/** How a query that finds nothing is searched again. */
const furtherAttempts = (plan: QueryPlan): readonly Partial<PlanRequest>[] => [
  ...(plan.hasOtherWords ? [{ correctsWords: 'other' as const }, { correctsWords: 'any' as const }] : []),
  ...(plan.unknownWords > 0 ? [] : [{ correctsKnown: 'any' as const }]),
  ...plan.otherTexts.map((text) => ({ text })),
];

const WORDS = new Intl.Segmenter([], { granularity: 'word' });

/** Counts words also where no spaces are between them. */
const wordCount = (text: string): number =>
  Array.from(WORDS.segment(text)).filter(({ isWordLike }) => isWordLike).length;

const NOTHING = { corrections: [], phraseDropped: false } as const;

/** Whether the last word is typed, and neither quoted nor excluded. */
function endsWithWord(query: string, phrases: readonly string[], without: readonly string[]): boolean {
  const trimmed = query.trimEnd();
  const last = typedWords(trimmed, []).at(-1);
  const isExcluded = without.some((word) => trimmed.endsWith(word)) || phrases.some((one) => trimmed.endsWith(one));
  return last !== undefined && last.end === trimmed.length && !isExcluded;
}

async function queryVector(
  query: string,
  embedder: Embedder,
): Promise<Pick<PageQuery, 'vector' | 'scales'> & { readonly degraded: boolean }> {
  if (query === '') return { vector: undefined, degraded: false };
  try {
    const [vector, model] = await Promise.all([embedder.embedQuery(query, EMBEDDING_DEADLINE_MS), embedder.scale?.()]);
    return { vector, ...(model && { scales: { ...COSINE_SCALES, model } }), degraded: false };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { vector: undefined, degraded: true };
  }
}
