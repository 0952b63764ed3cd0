import { batches } from '../../lambdas/domain/batches.ts';
import type { EventLog, EventReader } from '../../lambdas/domain/ports/event-log.ts';
import { engine } from '../threads/store.ts';
import { eventBuffer } from './event-buffer.ts';
import type { Reads } from './stores.ts';

/** Events of one call. Writes of other threads wait for it. */
const BATCH = 50;

/** Waits for the events of this thread that are still to be appended. */
async function readEvents<T>(from: (log: Reads['eventLog']) => T): Promise<T> {
  await eventBuffer.flush();
  return engine().read(({ eventLog }) => from(eventLog));
}

export const eventLog: EventLog = {
  async append(events) {
    for (const batch of batches(events, BATCH)) await engine().call('eventLog', 'append', batch);
  },
  days: async (scope, period) => readEvents((log) => log.days(scope, period)),
  sites: async (orgId, period) => readEvents((log) => log.sites(orgId, period)),
  queries: async (scope, period, options) => readEvents((log) => log.queries(scope, period, options)),
  frequentQueries: async (scope, period, options) =>
    engine().read(({ eventLog }) => eventLog.frequentQueries(scope, period, options)),
  removeSite: async (siteId, limit) => engine().call('eventLog', 'removeSite', siteId, limit),
  removeExpired: async (today, limit) => engine().call('eventLog', 'removeExpired', today, limit),
};

export const eventReader: EventReader = eventLog;
