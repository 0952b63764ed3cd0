import type { SearchGroup } from '../sites/groups/group.ts';
import type { SiteRecord } from '../sites/site.ts';
import { filteredSites } from './group-filters.ts';
import type { SearchResult } from './results/search-results.ts';
import { type Found, type SearchDeps, searchFacets, searchPages } from './search-pages.ts';
import type { SearchRequest } from './search-request.ts';
import type { FacetsAnswer, FacetsRequest, SearchAnswer } from './search-site.ts';

export type GroupSearchResult = SearchResult & { readonly siteId: string; readonly siteName: string };

/** Returns the pages of a group's sites that match a query, in one ranking. Scores use each site's own statistics. */
export async function searchGroup(
  { groupId }: Pick<SearchGroup, 'groupId'>,
  sites: readonly SiteRecord[],
  request: SearchRequest,
  deps: SearchDeps,
): Promise<SearchAnswer<Found<GroupSearchResult> & { readonly groupId: string }>> {
  const ofSite = (result: SearchResult, { settings: { siteId, name } }: SiteRecord): GroupSearchResult => ({
    ...result,
    siteId,
    siteName: name,
  });
  const searched = await filteredSites(request.filters, sites, deps);
  const { found, degraded } = await searchPages(searched, request, ofSite, deps);
  return { response: { ...found, groupId }, degraded };
}

/** Returns the facets of a group's sites, counted on all pages or on those that match a query. */
export async function groupFacets(
  sites: readonly SiteRecord[],
  { q, filters }: FacetsRequest,
  deps: SearchDeps,
): Promise<FacetsAnswer> {
  const { facets, degraded } = await searchFacets(await filteredSites(filters, sites, deps), q, deps);
  return { response: { facets }, degraded };
}
