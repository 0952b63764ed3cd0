import type { SiteRecord } from '../sites/site.ts';
import { type Filters, siteFilters } from './page-filters.ts';
import type { Facet } from './results/facet-counts.ts';
import { type Found, type SearchDeps, searchFacets, searchPages } from './search-pages.ts';
import type { SearchRequest } from './search-request.ts';

export type SearchAnswer<Response = Found> = {
  readonly response: Response;
  /** Words alone decided, because the embedder failed or was too slow. */
  readonly degraded: boolean;
};

/** Returns the pages of a site that match a query, best first. */
export async function searchSite(site: SiteRecord, request: SearchRequest, deps: SearchDeps): Promise<SearchAnswer> {
  const filters = await siteFilters(request.filters, site, deps);
  const { found, degraded } = await searchPages([{ site, filters }], request, (result) => result, deps);
  return { response: found, degraded };
}

export type FacetsRequest = { readonly q?: string | undefined; readonly filters?: Filters | undefined };
export type FacetsAnswer = SearchAnswer<{ readonly facets: readonly Facet[] }>;

/** Returns the site's facets, counted on all pages or on those that match a query. */
export async function siteFacets(
  site: SiteRecord,
  { q, filters }: FacetsRequest,
  deps: SearchDeps,
): Promise<FacetsAnswer> {
  const searched = [{ site, filters: await siteFilters(filters, site, deps) }];
  const { facets, degraded } = await searchFacets(searched, q, deps);
  return { response: { facets }, degraded };
}
