import { table } from '#adapters/table';
import { createSite } from '../core/sites/manage-sites.ts';
import { siteSummary } from '../core/sites/site-view.ts';
import { sites } from '../routes/sites.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock, newId } from '../runtime/system.ts';

export const handler = endpoint(sites['create-site'], async ({ body, caller }) =>
  siteSummary(await createSite(body, caller, { table, clock, newId })),
);
