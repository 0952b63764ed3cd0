import { tableReader } from '#adapters/table';
import { searchGroup } from '../domain/search/search-group.ts';
import { sitesInGroup } from '../domain/sites/groups/sites-in-group.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { logSearch } from '../runtime/event-logging.ts';
import { searchDeps, searchReply } from '../runtime/search.ts';

export const handler = endpoint(search['search-group'], async ({ group, address, query: { q, ...options } }) => {
  const request = { ...options, query: q };
  const sites = await sitesInGroup(group, tableReader);
  const answer = await searchGroup(group, sites, request, searchDeps(group.orgId));
  await logSearch({ orgId: group.orgId, address }, { ...request, results: answer.response.totalResults });
  return searchReply(answer);
});
