import { eventReader as eventLog } from '#adapters/event-log';
import { tableReader } from '#adapters/table';
import { monthUsage } from '../domain/sites/usage/month-usage.ts';
import { analytics } from '../routes/analytics.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(analytics['get-usage'], ({ query, caller }) =>
  monthUsage(query.month, caller, { table: tableReader, eventLog, clock }),
);
