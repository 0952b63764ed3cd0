import { searchSite } from '../domain/search/search-site.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { loggedSearchReply } from '../runtime/logged-search-reply.ts';
import { searchDeps } from '../runtime/search-deps.ts';

export const handler = endpoint(search['search-site-by-post'], async ({ site, address, body }) => {
  const answer = await searchSite(site, body, searchDeps(site.settings.orgId));
  return loggedSearchReply(body, answer, { ...site.settings, address });
});
