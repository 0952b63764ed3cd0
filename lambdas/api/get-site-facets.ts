import { siteFacets } from '../domain/search/search-site.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { searchDeps, searchReply } from '../runtime/search.ts';

export const handler = endpoint(search['get-site-facets'], async ({ site, query }) =>
  searchReply(await siteFacets(site, query, searchDeps(site.settings.orgId))),
);
