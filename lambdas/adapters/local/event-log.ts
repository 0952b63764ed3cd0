import type { EventLog } from '../../core/ports/event-log.ts';
import { batches } from '../batches.ts';
import { engine } from './engine/current.ts';
import { eventBuffer } from './event-buffer.ts';

/** A search may wait for one call. */
const BATCH = 100;

/** Reads include the events of this thread that still wait to be appended. */
export const eventLog: EventLog = {
  async append(events) {
    for (const batch of batches(events, BATCH)) await engine().call.eventLog.append(batch);
  },
  async days(scope, period) {
    await eventBuffer.flush();
    return engine().reads.eventLog.days(scope, period);
  },
  async sites(orgId, period) {
    await eventBuffer.flush();
    return engine().reads.eventLog.sites(orgId, period);
  },
  async queries(scope, period, options) {
    await eventBuffer.flush();
    return engine().reads.eventLog.queries(scope, period, options);
  },
  frequentQueries: async (scope, period, options) => engine().reads.eventLog.frequentQueries(scope, period, options),
  removeSite: async (siteId, limit) => engine().call.eventLog.removeSite(siteId, limit),
  removeExpired: async (today, limit) => engine().call.eventLog.removeExpired(today, limit),
};
