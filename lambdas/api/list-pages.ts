import { pageFinder } from '#adapters/page-index';
import { tableReader } from '#adapters/table';
import { listPages, pageView } from '../domain/pages/list-pages.ts';
import { ownSite } from '../domain/sites/site.ts';
import { content } from '../routes/content.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { pageInfo } from '../runtime/responses.ts';

export const handler = endpoint(content['list-pages'], async ({ params, query, caller }) => {
  const site = await ownSite(params.siteId, caller.orgId, tableReader);
  const page = await listPages(site, query, { table: tableReader, pageIndex: pageFinder });
  return { items: page.items.map(pageView), ...pageInfo(page) };
});
