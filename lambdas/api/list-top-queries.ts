import { eventReader as eventLog } from '#adapters/event-log';
import { tableReader } from '#adapters/table';
import { siteTopQueries } from '../domain/analytics/site-figures.ts';
import { analytics } from '../routes/analytics.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(analytics['list-top-queries'], ({ params, query, caller }) =>
  siteTopQueries(params.siteId, query, caller, { table: tableReader, eventLog, clock }),
);
