import { embedder, pageIndex } from '#adapters/page-index';
import { searchSite } from '../core/search/search-site.ts';
import { search } from '../routes/search.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { loggedSearchReply } from '../runtime/logged-search-reply.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(search['search-site-by-post'], async ({ site, address, body }) => {
  const answer = await searchSite(site, body, { index: pageIndex, embedder, clock });
  return loggedSearchReply(body, answer, { ...site.settings, address });
});
