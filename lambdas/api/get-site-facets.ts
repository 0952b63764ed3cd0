import { embedder, pageIndex } from '#adapters/page-index';
import { siteFacets } from '../core/search/search-site.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { searchReply } from '../runtime/search-reply.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(search['get-site-facets'], async ({ site, query }) =>
  searchReply(await siteFacets(site, query, { index: pageIndex, embedder, clock })),
);
