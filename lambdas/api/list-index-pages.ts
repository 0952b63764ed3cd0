import { tableReader } from '#adapters/table';
import { indexPages, indexPageView } from '../domain/pages/list-pages.ts';
import { ownSite } from '../domain/sites/site.ts';
import { content } from '../routes/content.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { pageInfo } from '../runtime/responses.ts';

export const handler = endpoint(content['list-index-pages'], async ({ params, query, caller }) => {
  const page = await indexPages(await ownSite(params.siteId, caller.orgId, tableReader), query, tableReader);
  return { pages: page.items.map(indexPageView), ...pageInfo(page) };
});
