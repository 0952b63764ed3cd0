import { tableReader } from '#adapters/table';
import { groupFacets } from '../domain/search/search-group.ts';
import { sitesInGroup } from '../domain/sites/groups/sites-in-group.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { searchDeps, searchReply } from '../runtime/search.ts';

export const handler = endpoint(search['get-group-facets'], async ({ group, query }) =>
  searchReply(await groupFacets(await sitesInGroup(group, tableReader), query, searchDeps(group.orgId))),
);
