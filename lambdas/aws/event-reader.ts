import type { EventReader } from '../domain/ports/event-log.ts';
import { openSearchClient } from './opensearch/client.ts';
import { opensearchEventReader } from './opensearch/events/opensearch-event-reader.ts';
import { requireEnv } from './require-env.ts';

export const eventReader: EventReader = opensearchEventReader(openSearchClient(requireEnv('OPENSEARCH_URL')));
