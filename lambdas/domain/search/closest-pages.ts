import { type MatchDeps, type Matches, matchPages } from './match-pages.ts';
import type { SearchRequest } from './search-request.ts';
import type { SearchedSite } from './searched-site.ts';

/** As many as a person reads where nothing fits. */
const MAX_CLOSEST = 3;
/** A page below it has nothing of the query but chance: invented words reach .055 at most on every manual. */
const MIN_CLOSE = 0.06;

/**
 * The pages that come closest to a query for which no page reaches `minScore`, best first; none if they share nothing
 * with it. Filters, exclusions and boosts hold. Words are not corrected: another word is not close.
 */
export async function closestPages(
  sites: readonly SearchedSite[],
  request: SearchRequest,
  deps: MatchDeps,
): Promise<Pick<Matches, 'pages' | 'chunks' | 'terms'>> {
  if (request.minScore <= MIN_CLOSE) return { pages: [], chunks: [], terms: [] };
  const lenient = { ...request, minScore: MIN_CLOSE, offset: 0, limit: MAX_CLOSEST, facets: undefined, exact: true };
  const { pages, chunks, terms } = await matchPages(sites, lenient, deps);
  const below = pages.filter(({ score }) => score < request.minScore);
  return { pages: below.slice(0, MAX_CLOSEST), chunks, terms };
}
