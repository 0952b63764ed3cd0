import { defined } from '../../text/defined.ts';
import type {
  CandidateQuery,
  IndexReader,
  PageCandidate,
  Phrase,
  QueryTerm,
  SiteStatistics,
} from '../ports/index-reader.ts';
import type { SiteRecord } from '../sites/site.ts';
import type { QueryPlan } from './query/query-plan.ts';
import { pageFactor } from './rank/boosts.ts';
import { COMPARED_TITLES, exactTitlesFirst, isTitle, pagesToCompare } from './rank/exact-titles.ts';
import { type Candidate, followedBy, rankPages } from './rank/rank-pages.ts';
import { scorer } from './rank/ranking.ts';
import type { Statistics } from './rank/weighted-terms.ts';
import { type SearchedSite, storedBoosts } from './searched-site.ts';

/** A query for pages: the query to the index without terms and limits, and the settings of the ranking. */
export type PageQuery = Omit<CandidateQuery, 'terms' | 'limit' | 'first'> & {
  readonly sites: readonly SearchedSite[];
  readonly plan: QueryPlan;
  /** Pages with all of these phrases score higher. */
  readonly preferredPhrases: readonly Phrase[];
  readonly minScore: number;
};

/** A chunk of a page with its score. */
export type Hit = Candidate & {
  readonly ref: PageCandidate;
  readonly site: SiteRecord;
  readonly basis: ScoreBasis;
  /** Factor in the score: the page's boosts times the confidence in the corrections. */
  readonly factor: number;
};

/** Inputs of the scores of one site's chunks, besides the features of each chunk. */
export type ScoreBasis = { readonly terms: readonly QueryTerm[]; readonly statistics: Statistics };

export type FoundPages = {
  /** The pages that reach the minimum score, best first. */
  readonly pages: readonly Hit[];
  /** Number of further pages that reach the minimum score, which rank after the pages shown. */
  readonly others: number;
  /** All scored chunks, of these pages and others. */
  readonly chunks: readonly Hit[];
  /** The terms that the pages were searched by. */
  readonly terms: readonly QueryTerm[];
};

/** The first results are ranked among this number of pages plus one, whatever part of them is requested. */
export const FIRST_RESULTS = 100;
export const MAX_RESULTS = 1000;

/** If fewer pages match, completions of the last word are searched too. */
const FEW = 10;
/** Factor of a page that has only a completion of the last word, if other pages have the word itself. */
const COMPLETION = 0.9;
/** Factor of a page with the preferred phrases. */
const PHRASE_BOOST = 1.3;

/** Returns the pages that match a query: up to 101 if at most 100 are shown, else up to 1,000 in the same order. */
export async function findPages(query: PageQuery, shown: number, index: IndexReader): Promise<FoundPages> {
  const all = shown > FIRST_RESULTS;
  const first = all ? {} : { first: Math.max(shown, COMPARED_TITLES) };
  const found = await bestPages(query, { limit: FIRST_RESULTS + 1, ...first }, index);
  const pages = await withExactTitlesFirst(found.pages, query.plan.text, index);
  if (!all || pages.length <= FIRST_RESULTS) return { ...found, pages };
  const more = await bestPages(query, { limit: MAX_RESULTS }, index);
  return { ...more, pages: followedBy(pages.slice(0, FIRST_RESULTS), more.pages).slice(0, MAX_RESULTS) };
}

async function withExactTitlesFirst(
  pages: readonly Hit[],
  query: string,
  index: Pick<IndexReader, 'passages'>,
): Promise<readonly Hit[]> {
  const compared = pagesToCompare(pages);
  if (compared.length === 0) return pages;
  const passages = await index.passages(compared.map(({ ref, chunk }) => ({ ...ref, ord: chunk })));
  const exact = compared.filter((_, i) => isTitle(passages[i]?.title ?? '', query));
  return exactTitlesFirst(pages, new Set(exact));
}

type Limits = Pick<CandidateQuery, 'limit' | 'first'>;

/** Returns the best pages for the words as typed. If these are few, adds pages with completions of the last word. */
async function bestPages(query: PageQuery, limits: Limits, index: IndexReader): Promise<FoundPages> {
  const { plan, minScore } = query;
  const { completed } = plan;
  if (!completed || !plan.isLastKnown) return pagesWith(completed ?? plan.terms, query, limits, index);
  const uncounted = { limit: limits.limit };
  const first = await pagesWith(plan.terms, query, plan.isLastUnfinished ? uncounted : limits, index);
  if (!plan.isLastUnfinished && first.pages.length + first.others >= FEW) return first;
  const whole = first.others > 0 ? await pagesWith(plan.terms, query, uncounted, index) : first;
  const { chunks } = await pagesWith(completed, query, uncounted, index);
  const lower = chunks.map((hit) => ({ ...hit, score: hit.score * COMPLETION }));
  const isAlone = completed.filter(({ question }) => !question).length === 1;
  const pages = isAlone
    ? followedBy(whole.pages, notAbove(whole.pages.at(-1), rankPages(lower, minScore)))
    : rankPages([...whole.chunks, ...lower], minScore);
  const terms = [...plan.terms, ...completed.slice(-1)];
  return { pages, others: 0, chunks: [...whole.chunks, ...lower], terms };
}

/** Caps the scores of the pages at the score of the last page before them. */
const notAbove = (last: Hit | undefined, pages: readonly Hit[]): readonly Hit[] =>
  pages.map((hit) => ({ ...hit, score: Math.min(hit.score, last?.score ?? hit.score) }));

/** Returns the best pages for these terms. */
async function pagesWith(
  terms: readonly QueryTerm[],
  { sites, plan, preferredPhrases, minScore, ...query }: PageQuery,
  { limit, first }: Limits,
  index: IndexReader,
): Promise<FoundPages> {
  const candidates = { ...query, terms, limit, minScore: minScore / plan.confidence };
  const scored = (asked: CandidateQuery) => scoredChunks(asked, sites, plan.confidence, index);
  if (preferredPhrases.length === 0) {
    const { chunks, others } = await scored({ ...candidates, ...defined({ first }) });
    return { pages: rankPages(chunks, minScore), others, chunks, terms };
  }
  const all = await scored(candidates);
  const least = candidates.minScore / PHRASE_BOOST;
  const holding = await scored({ ...candidates, requiredPhrases: preferredPhrases, minScore: least });
  const chunks = withBoosts(all.chunks, holding.chunks);
  return { pages: rankPages(chunks, minScore), others: 0, chunks, terms };
}

function withBoosts(chunks: readonly Hit[], holding: readonly Hit[]): readonly Hit[] {
  const pages = new Set(holding.map(({ page }) => page));
  return [...chunks, ...holding].map((hit) =>
    pages.has(hit.page) ? { ...hit, score: hit.score * PHRASE_BOOST } : hit,
  );
}

/** Returns the scored chunks of the index's candidates. */
async function scoredChunks(
  query: CandidateQuery,
  sites: readonly SearchedSite[],
  confidence: number,
  index: IndexReader,
): Promise<{ readonly chunks: readonly Hit[]; readonly others: number }> {
  const { pages, statistics, others } = await index.candidates(query);
  const siteOf = new Map(sites.map(({ site }) => [site.settings.siteId, site]));
  const scoringOf = new Map<string, Scoring>();
  const chunks = pages.flatMap((ref) => {
    const site = siteOf.get(ref.siteId);
    const ofSite = statistics.get(ref.siteId);
    if (!site || !ofSite) return [];
    const scoring = scoringOf.get(ref.siteId) ?? scoringIn(site, ofSite, query);
    scoringOf.set(ref.siteId, scoring);
    const factor = confidence * pageFactor(ref, scoring.boosts);
    const page = `${ref.siteId} ${ref.urlHash}`;
    return ref.chunks.map((chunk) => ({
      page,
      url: ref.url,
      chunk: chunk.ord,
      ref,
      site,
      basis: scoring.basis,
      factor,
      score: factor * scoring.score(ref, chunk),
    }));
  });
  return { chunks, others };
}

type Scoring = ReturnType<typeof scoringIn>;

function scoringIn(site: SiteRecord, ofSite: SiteStatistics, { terms, scales }: CandidateQuery) {
  const statistics = { ...ofSite, scales };
  return { score: scorer(terms, statistics), boosts: storedBoosts(site), basis: { terms, statistics } };
}
