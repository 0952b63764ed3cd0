import { pageFinder } from '#adapters/page-index';
import { tableReader } from '#adapters/table';
import { suggest } from '../domain/search/suggest.ts';
import { sitesInGroup } from '../domain/sites/groups/sites-in-group.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(search['suggest-in-group'], async ({ group, query }) =>
  suggest(await sitesInGroup(group, tableReader), query.q, pageFinder),
);
