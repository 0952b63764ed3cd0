import { eventReader as eventLog } from '#adapters/event-log';
import { table } from '#adapters/table';
import { embedder } from '../connectors/embedder/configured.ts';
import { contentGaps } from '../domain/analytics/content-gaps.ts';
import { analytics } from '../routes/analytics.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock } from '../runtime/system.ts';

export const handler = endpoint(analytics['list-content-gaps'], ({ params, query, caller }) =>
  contentGaps(params.siteId, query, caller, { table, eventLog, embedder, clock }),
);
