import { table } from '#adapters/table';
import { ownSite } from '../core/sites/site.ts';
import { siteDetails } from '../core/sites/site-view.ts';
import { sites } from '../routes/sites.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(sites['get-site'], async ({ params, caller }) =>
  siteDetails(await ownSite(params.siteId, caller.orgId, table)),
);
