import { embedder, pageIndex } from '#adapters/page-index';
import { table } from '#adapters/table';
import { sitesInGroup } from '../core/groups/group.ts';
import { groupFacets } from '../core/search/search-group.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { searchReply } from '../runtime/search-reply.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(search['get-group-facets'], async ({ group, query }) =>
  searchReply(await groupFacets(await sitesInGroup(group, table), query, { index: pageIndex, embedder, clock })),
);
