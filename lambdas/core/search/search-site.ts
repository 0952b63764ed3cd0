import type { SiteRecord } from '../sites/site.ts';
import { pageFilters } from './page-filters.ts';
import { type Found, type SearchDeps, type SearchRequest, searchPages } from './search-pages.ts';

export type SearchAnswer<Response extends Found = Found> = {
  readonly response: Response;
  /** The query was answered by words alone, because the embedder failed or was too slow. */
  readonly degraded: boolean;
};

/** The pages of a site that match a query, best first. */
export async function searchSite(site: SiteRecord, request: SearchRequest, deps: SearchDeps): Promise<SearchAnswer> {
  const filters = pageFilters(request.filters, site.settings.metadataSchema);
  const { found, degraded } = await searchPages([{ site, filters }], request, (result) => result, deps);
  return { response: found, degraded };
}
