import type { Caller } from '../access/api-key.ts';
import { organisationKey } from '../access/organisation.ts';
import { type Clock, epochSeconds } from '../clock.ts';
import { jobKey, runningKey } from '../crawl/job/job.ts';
import { UnavailableError } from '../errors.ts';
import type { Queue } from '../ports/queue.ts';
import type { Table } from '../ports/table.ts';
import { ownSite, settingsKey, sitePointerKey, stateKey } from '../sites/site.ts';
import { everySiteKey } from '../sites/site-directory.ts';
import { sendCleanUp, tombstoneKey } from './clean-up.ts';

const ATTEMPTS = 5;

/**
 * Takes the site out of sight at once, in one write that also ends its running crawl and leaves a tombstone; what it holds is
 * removed by a worker, again and again until nothing is left.
 */
export async function deleteSite(
  siteId: string,
  caller: Caller,
  { table, queue, clock }: { readonly table: Table; readonly queue: Queue; readonly clock: Clock },
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { state } = await ownSite(siteId, caller.orgId, table);
    const jobId = state.runningJobId;
    const now = epochSeconds(clock);
    const refused = await table.write([
      { remove: settingsKey(siteId), when: { exists: true } },
      { remove: sitePointerKey(caller.orgId, siteId) },
      { remove: everySiteKey(siteId) },
      { update: organisationKey(caller.orgId), add: { sites: -1 } },
      { remove: stateKey(siteId), when: { equals: { runningJobId: jobId } } },
      { put: { ...tombstoneKey(siteId), siteId, deletedAt: now } },
      ...(jobId === null
        ? []
        : [
            { update: jobKey(jobId), set: { status: 'cancelled', endReason: 'cancelled', completedAt: now } },
            { remove: runningKey(jobId) },
          ]),
    ]);
    if (refused.length === 0) return sendCleanUp(siteId, queue);
  }
  throw new UnavailableError('the site is being changed by others: try again');
}
