import { table } from '#adapters/table-reader';
import { sitesInGroup } from '../core/groups/sites-in-group.ts';
import { groupFacets } from '../core/search/search-group.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { searchDeps } from '../runtime/search-deps.ts';
import { searchReply } from '../runtime/search-reply.ts';

export const handler = endpoint(search['get-group-facets'], async ({ group, query }) =>
  searchReply(await groupFacets(await sitesInGroup(group, table), query, searchDeps(group.orgId))),
);
