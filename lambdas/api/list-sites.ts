import { tableReader } from '#adapters/table';
import { sitesOf } from '../domain/sites/site.ts';
import { siteSummary } from '../domain/sites/site-view.ts';
import { sites } from '../routes/sites.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(sites['list-sites'], async ({ caller }) => ({
  sites: (await sitesOf(caller.orgId, tableReader)).map(siteSummary),
}));
