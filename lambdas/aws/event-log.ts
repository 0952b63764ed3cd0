import type { EventLog } from '../domain/ports/event-log.ts';
import { openSearchClient } from './opensearch/client.ts';
import { opensearchEventLog } from './opensearch/events/opensearch-event-log.ts';
import { requireEnv } from './require-env.ts';

export const eventLog: EventLog = opensearchEventLog(openSearchClient(requireEnv('OPENSEARCH_URL')));
