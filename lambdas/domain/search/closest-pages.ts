import { type MatchDeps, type Matches, matchPages } from './match-pages.ts';
import type { SearchRequest } from './search-request.ts';
import type { SearchedSite } from './searched-site.ts';

/** Most pages suggested if nothing matches. */
const MAX_CLOSEST = 3;
/** Below this score a match is chance: invented words reach at most 0.055 on every manual tested. */
const MIN_CLOSE = 0.06;

/**
 * Returns the best pages below `minScore`, best first; none if they have nothing in common with the query. Called if no
 * page reaches `minScore`. Applies filters, exclusions and boosts, but does not correct words.
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
