import { eventReader as eventLog } from '#adapters/event-log';
import { tableReader } from '#adapters/table';
import { analytics as figures } from '../domain/analytics/analytics.ts';
import { analytics } from '../routes/analytics.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(analytics['get-analytics'], ({ query, caller }) =>
  figures(query, caller, { table: tableReader, eventLog, clock }),
);
