import { batches } from '../../lambdas/domain/batches.ts';
import type { EventLog, EventReader } from '../../lambdas/domain/ports/event-log.ts';
import { store } from '../threads/store.ts';
import { eventBuffer } from './event-buffer.ts';

/** The most events of one call, because writes of other threads wait for it. */
const BATCH = 50;

/** Returns the log's reads, after the buffered events of this thread are appended. */
async function whole() {
  await eventBuffer.flush();
  return store().read.eventLog;
}

export const eventLog: EventLog = {
  async append(events) {
    for (const batch of batches(events, BATCH)) await store().write.eventLog.append(batch);
  },
  days: async (scope, period) => (await whole()).days(scope, period),
  sites: async (orgId, period) => (await whole()).sites(orgId, period),
  queries: async (scope, period, options) => (await whole()).queries(scope, period, options),
  frequentQueries: async (scope, period, options) => store().read.eventLog.frequentQueries(scope, period, options),
  removeSite: async (siteId, limit) => store().write.eventLog.removeSite(siteId, limit),
  removeExpired: async (today, limit) => store().write.eventLog.removeExpired(today, limit),
};

export const eventReader: EventReader = eventLog;
