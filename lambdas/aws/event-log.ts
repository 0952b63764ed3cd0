import type { EventLog, EventReader } from '../domain/ports/event-log.ts';
import { openSearchClient } from './opensearch/client.ts';
import { opensearchEventLog } from './opensearch/events/opensearch-event-log.ts';
import { opensearchEventReader } from './opensearch/events/opensearch-event-reader.ts';
import { requireEnv } from './require-env.ts';

const client = openSearchClient(requireEnv('OPENSEARCH_URL'));

// Marked as pure: a bundle that reads events leaves out the code that writes them.
export const eventLog: EventLog = /* @__PURE__ */ opensearchEventLog(client);
export const eventReader: EventReader = /* @__PURE__ */ opensearchEventReader(client);
