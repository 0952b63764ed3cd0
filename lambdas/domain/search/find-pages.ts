import type { CosineScales } from '../../text/words/cosine-scale.ts';
import type {
  CandidateQuery,
  IndexReader,
  PageCandidate,
  PageFilter,
  Phrase,
  QueryTerm,
  SearchScope,
  SiteStatistics,
} from '../ports/index-reader.ts';
import type { SiteRecord } from '../sites/site.ts';
import type { QueryPlan } from './query/query-plan.ts';
import { type Boosts, pageFactor } from './rank/boosts.ts';
import { COMPARED_TITLES, exactTitlesFirst } from './rank/exact-titles.ts';
import { type Candidate, followedBy, rankPages } from './rank/rank-pages.ts';
import { scorer } from './rank/ranking.ts';
import { storedUrlBoosts } from './results/shown-url.ts';

/**
 * A site with the filters of a request in the types of its metadata schema; without filters none of its pages match.
 */
export type SearchedSite = { readonly site: SiteRecord; readonly filters: readonly PageFilter[] | undefined };

export type PageQuery = {
  readonly plan: QueryPlan;
  readonly vector: Float32Array | undefined;
  readonly scales?: CosineScales | undefined;
  readonly requiredPhrases: readonly Phrase[];
  readonly excludedPhrases: readonly Phrase[];
  /** Pages with all of them are preferred. */
  readonly boostedPhrases: readonly Phrase[];
  readonly minScore: number;
  readonly chunksPerPage: number;
};

/** A chunk of a page with its score. */
export type Hit = Candidate & {
  readonly ref: PageCandidate;
  readonly site: SiteRecord;
  readonly basis: ScoreBasis;
  /** Of the score: boosts, and how sure the corrections are. */
  readonly factor: number;
};

/** What the scores of one site's chunks are computed from, beside their features. */
export type ScoreBasis = { readonly terms: readonly QueryTerm[]; readonly statistics: SiteStatistics };

export type FoundPages = {
  /** The pages that passed, best first. */
  readonly pages: readonly Hit[];
  /** The number of pages that passed and are not among them, because they come after those that are shown. */
  readonly others: number;
  /** All examined chunks, of these pages and others. */
  readonly chunks: readonly Hit[];
  /** The terms by which pages were found. */
  readonly terms: readonly QueryTerm[];
};

/** The first results are decided among at least as many pages and one more, whatever part of them is asked for. */
export const FIRST_RESULTS = 100;
export const MOST_RESULTS = 1000;

/** If fewer pages pass, completions of the last word are added. */
const FEW = 10;
/** Factor of a page that has only a completion of the last word, where other pages have the word itself. */
const COMPLETION = 0.9;
/** Factor of a page with the quoted phrases, where phrases are only a preference. */
const PHRASE_BOOST = 1.3;

/** The pages that match a query: the best `shown` of 100 and one more, or if more are shown 1,000 in the same order. */
export async function findPages(
  sites: readonly SearchedSite[],
  query: PageQuery,
  { shown, index }: { readonly shown: number; readonly index: IndexReader },
): Promise<FoundPages> {
  const all = shown > FIRST_RESULTS;
  const decided = all ? {} : { shown: Math.max(shown, COMPARED_TITLES) };
  const found = await bestPages(sites, { ...query, limit: FIRST_RESULTS + 1, ...decided }, index);
  const first = { ...found, pages: await exactTitlesFirst(found.pages, query.plan.text, index) };
  if (!all || first.pages.length <= FIRST_RESULTS) return first;
  const more = await bestPages(sites, { ...query, limit: MOST_RESULTS }, index);
  const pages = followedBy(first.pages.slice(0, FIRST_RESULTS), more.pages).slice(0, MOST_RESULTS);
  return { ...more, pages };
}

type LimitedQuery = PageQuery & { readonly limit: number; readonly shown?: number };

async function bestPages(
  sites: readonly SearchedSite[],
  { shown, ...query }: LimitedQuery,
  index: IndexReader,
): Promise<FoundPages> {
  const { plan, minScore } = query;
  const { completed } = plan;
  if (!completed) return pagesWith(plan.terms, sites, { ...query, ...(shown && { shown }) }, index);
  if (!plan.isLastKnown) return pagesWith(completed, sites, { ...query, ...(shown && { shown }) }, index);
  const counted = !plan.isLastUnfinished && shown !== undefined;
  const first = await pagesWith(plan.terms, sites, { ...query, ...(counted && { shown }) }, index);
  if (!plan.isLastUnfinished && first.pages.length + first.others >= FEW) return first;
  const whole = first.others > 0 ? await pagesWith(plan.terms, sites, query, index) : first;
  const { chunks } = await pagesWith(completed, sites, query, index);
  const lower = chunks.map((hit) => ({ ...hit, score: hit.score * COMPLETION }));
  const isAlone = completed.filter(({ question }) => !question).length === 1;
  const pages = isAlone
    ? followedBy(whole.pages, notAbove(whole.pages.at(-1), rankPages(lower, minScore)))
    : rankPages([...whole.chunks, ...lower], minScore);
  const terms = [...plan.terms, ...completed.slice(-1)];
  return { pages, others: 0, chunks: [...whole.chunks, ...lower], terms };
}

async function pagesWith(
  terms: readonly QueryTerm[],
  sites: readonly SearchedSite[],
  { shown, ...query }: LimitedQuery,
  index: IndexReader,
): Promise<FoundPages> {
  const { plan, minScore, boostedPhrases } = query;
  const least = minScore / plan.confidence;
  const search: CandidateSearch = { ...query, terms, confidence: plan.confidence, minScore: least };
  if (boostedPhrases.length > 0) {
    const { chunks } = await candidates(sites, search, index);
    const boosted = { ...search, requiredPhrases: boostedPhrases, minScore: least / PHRASE_BOOST };
    const holding = await candidates(sites, boosted, index);
    const both = withBoosts(chunks, holding.chunks);
    return { pages: rankPages(both, minScore), others: 0, chunks: both, terms };
  }
  const { chunks, others } = await candidates(sites, { ...search, ...(shown && { first: shown }) }, index);
  return { pages: rankPages(chunks, minScore), others, chunks, terms };
}

/** The pages in the same order, with scores that are not above that of the page before them. */
const notAbove = (last: Hit | undefined, pages: readonly Hit[]): readonly Hit[] =>
  pages.map((hit) => ({ ...hit, score: Math.min(hit.score, last?.score ?? hit.score) }));

function withBoosts(chunks: readonly Hit[], holding: readonly Hit[]): readonly Hit[] {
  const pages = new Set(holding.map(({ page }) => page));
  return [...chunks, ...holding].map((hit) =>
    pages.has(hit.page) ? { ...hit, score: hit.score * PHRASE_BOOST } : hit,
  );
}

type CandidateSearch = Omit<PageQuery, 'plan' | 'boostedPhrases'> &
  Pick<CandidateQuery, 'terms' | 'limit' | 'first'> &
  Pick<QueryPlan, 'confidence'>;

/** The chunks of the best pages, and of others. */
async function candidates(
  sites: readonly SearchedSite[],
  query: CandidateSearch,
  index: IndexReader,
): Promise<{ readonly chunks: readonly Hit[]; readonly others: number }> {
  const scopes = scopesOf(sites);
  if (!isNonEmpty(scopes)) return { chunks: [], others: 0 };
  const { pages, statistics, others } = await index.candidates({ ...query, scopes });
  const found = new Set(pages.map(({ siteId }) => siteId));
  const scoringOf = new Map(
    sites.flatMap(({ site }) => {
      const { siteId } = site.settings;
      const ofSite = found.has(siteId) ? statistics.get(siteId) : undefined;
      return ofSite
        ? [
            [
              siteId,
              {
                site,
                score: scorer(query.terms, { ...ofSite, scales: query.scales }),
                boosts: storedBoosts(site),
                basis: { terms: query.terms, statistics: ofSite },
              },
            ] as const,
          ]
        : [];
    }),
  );
  const chunks = pages.flatMap((ref) => {
    const ofSite = scoringOf.get(ref.siteId);
    if (!ofSite) return [];
    const { site, score, boosts, basis } = ofSite;
    const factor = query.confidence * pageFactor(ref, boosts);
    const page = `${ref.siteId} ${ref.urlHash}`;
    return ref.chunks.map((chunk) => ({
      ...{ page, url: ref.url, chunk: chunk.ord, ref, site, basis },
      ...{ factor, score: factor * score(ref, chunk) },
    }));
  });
  return { chunks, others };
}

export function scopesOf(sites: readonly SearchedSite[]): readonly SearchScope[] {
  return sites.flatMap(({ site, filters }) => {
    const { siteId } = site.settings;
    const { generation } = site.state;
    return filters ? [{ siteId, generation, filters, boosts: storedBoosts(site) }] : [];
  });
}

export const storedBoosts = (site: SiteRecord): Boosts => ({
  tagBoosts: site.settings.tagBoosts,
  urlBoosts: storedUrlBoosts(site),
});

export const isNonEmpty = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0;
