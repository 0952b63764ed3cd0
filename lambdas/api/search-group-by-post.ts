import { tableReader } from '#adapters/table';
import { searchGroup } from '../domain/search/search-group.ts';
import { sitesInGroup } from '../domain/sites/groups/sites-in-group.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { loggedSearchReply } from '../runtime/logged-search-reply.ts';
import { searchDeps } from '../runtime/search-deps.ts';

export const handler = endpoint(search['search-group-by-post'], async ({ group, address, body }) => {
  const sites = await sitesInGroup(group, tableReader);
  const answer = await searchGroup(group, sites, body, searchDeps(group.orgId));
  return loggedSearchReply(body, answer, { orgId: group.orgId, address });
});
