import { searchSite } from '../domain/search/search-site.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { logSearch } from '../runtime/event-logging.ts';
import { searchDeps, searchReply } from '../runtime/search.ts';

export const handler = endpoint(search['search-site'], async ({ site, address, query: { q, ...options } }) => {
  const request = { ...options, query: q };
  const answer = await searchSite(site, request, searchDeps(site.settings.orgId));
  await logSearch({ ...site.settings, address }, { ...request, results: answer.response.totalResults });
  return searchReply(answer);
});
