import { type Hit, MAX_RESULTS } from '../../search/find-pages.ts';
import { matchPages } from '../../search/match-pages.ts';
import { pageFactor } from '../../search/rank/boosts.ts';
import { explainScore } from '../../search/rank/ranking.ts';
import type { SearchDeps } from '../../search/search-pages.ts';
import { DEFAULT_MIN_SCORE } from '../../search/search-request.ts';
import { type SearchedSite, storedBoosts } from '../../search/searched-site.ts';
import type { SiteRecord } from '../../sites/site.ts';

type Deps = Omit<SearchDeps, 'clock'>;
type Page = { readonly url: string; readonly urlHash: string };

export type QueryTrace = Awaited<ReturnType<typeof queryTrace>>;

/** Explains whether a search of the site for `q` finds a page, at which rank, and how its score is computed. */
export async function queryTrace(q: string, page: Page, site: SiteRecord, deps: Deps) {
  const whole = await pagesFor(q, { site, filters: [] }, DEFAULT_MIN_SCORE, deps);
  const index = whole.pages.findIndex(({ ref }) => ref.urlHash === page.urlHash);
  const hit = whole.pages[index] ?? (await missedHit(q, page, { site, deps, corrections: whole.corrections }));
  return {
    q,
    isFound: index >= 0,
    isCandidate: hit !== undefined,
    rank: index < 0 ? null : index + 1,
    totalResults: whole.pages.length,
    minScore: DEFAULT_MIN_SCORE,
    corrections: whole.corrections,
    ...(whole.degraded && { degraded: true as const }),
    ...(hit && scoreView(hit, site)),
  };
}

type Found = Awaited<ReturnType<typeof matchPages>>;

const pagesFor = (query: string, site: SearchedSite, minScore: number, deps: Deps): Promise<Found> =>
  matchPages([site], { query, minScore, limit: MAX_RESULTS, offset: 0 }, deps);

/**
 * Searches the page's URL alone, with any score, and returns the page if it matches the words of the original search.
 */
async function missedHit(
  q: string,
  { url, urlHash }: Page,
  { site, deps, corrections }: { readonly site: SiteRecord; readonly deps: Deps } & Pick<Found, 'corrections'>,
): Promise<Hit | undefined> {
  const filters = [{ field: 'url', urlPrefixes: [url], pathPrefixes: [] }] as const;
  const own = await pagesFor(q, { site, filters }, 0, deps);
  const isSameSearch = JSON.stringify(own.corrections) === JSON.stringify(corrections);
  return isSameSearch ? own.pages.find(({ ref }) => ref.urlHash === urlHash) : undefined;
}

function scoreView({ ref, chunk, score, basis }: Hit, site: SiteRecord) {
  const features = ref.chunks.find(({ ord }) => ord === chunk);
  if (!features) return undefined;
  const { evidence, score: textScore, ...parts } = explainScore(basis.terms, basis.statistics, ref, features);
  const boost = pageFactor(ref, storedBoosts(site));
  const { block, cosine, ...shares } = evidence;
  return {
    score: rounded(score),
    chunk,
    factors: {
      ...mapped(parts),
      textScore: rounded(textScore),
      boost: rounded(boost),
      confidence: rounded(textScore * boost > 0 ? score / (textScore * boost) : 1),
    },
    features: { ...(cosine !== undefined && { cosine: rounded(cosine) }), ...mapped(shares) },
    words: basis.terms.map(({ term, question }, i) => ({
      word: term,
      counts: !question,
      inChunk: features.frequencies[i] ?? 0,
      inTitle: ref.inTitle[i] ?? false,
      chunksOfSite: basis.statistics.documentFrequency[i] ?? 0,
    })),
  };
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
const mapped = <K extends string>(values: Readonly<Record<K, number>>): Record<K, number> =>
  Object.fromEntries(Object.entries<number>(values).map(([name, value]) => [name, rounded(value)])) as Record<
    K,
    number
  >;
