import { embedder, pageIndex } from '#adapters/page-index';
import { table } from '#adapters/table';
import { sitesInGroup } from '../core/groups/group.ts';
import { searchGroup } from '../core/search/search-group.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { searchReply } from '../runtime/search-reply.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(search['search-group-by-post'], async ({ group, body }) =>
  searchReply(await searchGroup(group, await sitesInGroup(group, table), body, { index: pageIndex, embedder, clock })),
);
