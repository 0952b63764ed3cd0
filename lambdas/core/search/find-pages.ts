import type { QueryTerm } from '../language/query-terms.ts';
import type { PageCandidate, PageFilter, PageIndex, Phrase, SearchScope } from '../ports/page-index.ts';
import type { SiteRecord } from '../sites/site.ts';
import { type Boosts, pageFactor } from './boosts.ts';
import type { QueryPlan } from './query-plan.ts';
import { type Candidate, followedBy, rankPages } from './rank-pages.ts';
import { scorer } from './ranking.ts';
import { storedUrlBoosts } from './shown-url.ts';

/** A site with the filters of a request in the types of its metadata schema; without filters none of its pages match. */
export type SearchedSite = { readonly site: SiteRecord; readonly filters: readonly PageFilter[] | undefined };

export type PageQuery = {
  readonly plan: QueryPlan;
  readonly vector: Float32Array | undefined;
  readonly requiredPhrases: readonly Phrase[];
  readonly excludedPhrases: readonly Phrase[];
  /** Pages with all of them are preferred. */
  readonly boostedPhrases: readonly Phrase[];
  readonly minScore: number;
  readonly chunksPerPage: number;
};

/** A chunk of a page with its score. */
export type Hit = Candidate & { readonly ref: PageCandidate; readonly site: SiteRecord };
export type FoundPages = {
  /** The pages that passed, best first. */
  readonly pages: readonly Hit[];
  /** All examined chunks, of these pages and others. */
  readonly chunks: readonly Hit[];
  /** The terms by which pages were found. */
  readonly terms: readonly QueryTerm[];
};

/** The first results are decided among at least as many pages and one more, whatever part of them is asked for. */
export const FIRST_RESULTS = 100;
export const MOST_RESULTS = 1000;

/** Completions are added if no page agrees better than this with the words, or few pages pass. */
const WEAK = { score: 0.7, pages: 10 } as const;
/** Of a page that has a completion of the last word where others have the word itself. */
const COMPLETION = 0.9;
/** Of a page with the quoted phrases where these only are a preference. */
const PHRASE_BOOST = 1.3;

/** The pages that match a query, at most 100 and one more, or with `all` 1,000 in the same order. */
export async function findPages(
  sites: readonly SearchedSite[],
  query: PageQuery,
  { all, index }: { readonly all: boolean; readonly index: PageIndex },
): Promise<FoundPages> {
  const first = await bestPages(sites, query, FIRST_RESULTS + 1, index);
  if (!all || first.pages.length <= FIRST_RESULTS) return first;
  const more = await bestPages(sites, query, MOST_RESULTS, index);
  const pages = followedBy(first.pages.slice(0, FIRST_RESULTS), more.pages).slice(0, MOST_RESULTS);
  return { ...more, pages };
}

async function bestPages(
  sites: readonly SearchedSite[],
  query: PageQuery,
  limit: number,
  index: PageIndex,
): Promise<FoundPages> {
  const { plan, minScore } = query;
  const find = (terms: readonly QueryTerm[], required = query.requiredPhrases) =>
    candidates(sites, { ...query, terms, requiredPhrases: required, limit }, index);
  const isWhole = plan.isLastKnown || plan.completed === undefined;
  const terms = isWhole ? plan.terms : (plan.completed ?? []);
  let chunks = await find(terms);
  if (query.boostedPhrases.length > 0) chunks = withBoosts(chunks, await find(terms, query.boostedPhrases));
  const pages = rankPages(chunks, minScore);
  if (!isWhole || !plan.completed || !(plan.isLastUnfinished || isWeak(pages))) return { pages, chunks, terms };
  const isAlone = plan.completed.filter(({ question }) => !question).length === 1;
  const completed = (await find(plan.completed)).map((hit) => ({ ...hit, score: hit.score * COMPLETION }));
  const both = isAlone
    ? followedBy(pages, below(pages.at(-1), rankPages(completed, minScore)))
    : rankPages([...chunks, ...completed], minScore);
  return { pages: both, chunks: [...chunks, ...completed], terms: [...plan.terms, ...plan.completed.slice(-1)] };
}

const below = (last: Hit | undefined, pages: readonly Hit[]): readonly Hit[] =>
  pages.map((hit) => ({ ...hit, score: Math.min(hit.score, last?.score ?? hit.score) }));

const isWeak = (pages: readonly Hit[]): boolean => pages.length < WEAK.pages || (pages[0]?.score ?? 0) < WEAK.score;

function withBoosts(chunks: readonly Hit[], holding: readonly Hit[]): readonly Hit[] {
  const pages = new Set(holding.map(({ page }) => page));
  return [...chunks, ...holding].map((hit) =>
    pages.has(hit.page) ? { ...hit, score: hit.score * PHRASE_BOOST } : hit,
  );
}

type CandidateSearch = Omit<PageQuery, 'plan' | 'minScore' | 'boostedPhrases'> & {
  readonly terms: readonly QueryTerm[];
  readonly limit: number;
};

/** The chunks of the best pages, and of others. */
async function candidates(
  sites: readonly SearchedSite[],
  query: CandidateSearch,
  index: PageIndex,
): Promise<readonly Hit[]> {
  const scopes = scopesOf(sites);
  if (!isNonEmpty(scopes)) return [];
  const { pages, statistics } = await index.candidates({ ...query, scopes });
  const scoringOf = new Map(
    sites.flatMap(({ site }) => {
      const { siteId } = site.settings;
      const ofSite = statistics.get(siteId);
      return ofSite
        ? [[siteId, { site, score: scorer(query.terms, ofSite), boosts: storedBoosts(site) }] as const]
        : [];
    }),
  );
  return pages.flatMap((ref) => {
    const ofSite = scoringOf.get(ref.siteId);
    if (!ofSite) return [];
    const { site, score, boosts } = ofSite;
    const factor = pageFactor(ref, boosts);
    const page = `${ref.siteId} ${ref.urlHash}`;
    return ref.chunks.map((chunk) => ({
      ...{ page, url: ref.url, chunk: chunk.ord, ref, site },
      score: factor * score({ ...ref, ...chunk }),
    }));
  });
}

export function scopesOf(sites: readonly SearchedSite[]): readonly SearchScope[] {
  return sites.flatMap(({ site, filters }) => {
    const { siteId } = site.settings;
    const { generation } = site.state;
    return filters ? [{ siteId, generation, filters, boosts: storedBoosts(site) }] : [];
  });
}

const storedBoosts = (site: SiteRecord): Boosts => ({
  tagBoosts: site.settings.tagBoosts,
  urlBoosts: storedUrlBoosts(site),
});

export const isNonEmpty = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0;
