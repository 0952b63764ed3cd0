import { searchSite } from '../domain/search/search-site.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { loggedSearchReply } from '../runtime/logged-search-reply.ts';
import { searchDeps } from '../runtime/search-deps.ts';

export const handler = endpoint(search['search-site'], async ({ site, address, query: { q, ...options } }) => {
  const request = { ...options, query: q };
  const answer = await searchSite(site, request, searchDeps(site.settings.orgId));
  return loggedSearchReply(request, answer, { ...site.settings, address });
});
