import { siteFacets } from '../domain/search/search-site.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { searchDeps } from '../runtime/search-deps.ts';
import { searchReply } from '../runtime/search-reply.ts';

export const handler = endpoint(search['get-site-facets'], async ({ site, query }) =>
  searchReply(await siteFacets(site, query, searchDeps(site.settings.orgId))),
);
