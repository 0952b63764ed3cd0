import { tableReader } from '#adapters/table';
import { searchGroup } from '../domain/search/search-group.ts';
import { sitesInGroup } from '../domain/sites/groups/sites-in-group.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { loggedSearchReply } from '../runtime/logged-search-reply.ts';
import { searchDeps } from '../runtime/search-deps.ts';

export const handler = endpoint(search['search-group'], async ({ group, address, query: { q, ...options } }) => {
  const request = { ...options, query: q };
  const sites = await sitesInGroup(group, tableReader);
  const answer = await searchGroup(group, sites, request, searchDeps(group.orgId));
  return loggedSearchReply(request, answer, { orgId: group.orgId, address });
});
