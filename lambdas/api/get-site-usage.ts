import { eventReader as eventLog } from '#adapters/event-log';
import { tableReader } from '#adapters/table';
import { siteUsage } from '../domain/analytics/site-figures.ts';
import { analytics } from '../routes/analytics.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { report } from '../runtime/log.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(analytics['get-site-usage'], ({ params, query, caller }) =>
  siteUsage(params.siteId, query.range, caller, { table: tableReader, eventLog, clock, report }),
);
