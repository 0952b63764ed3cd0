import { type Clock, epochSeconds } from '../../clock.ts';
import { cancelChanges } from '../../crawl/jobs/job-end.ts';
import { retryWhenOvertaken } from '../../optimistic-retry.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table } from '../../ports/table.ts';
import type { Caller } from '../../sites/access/api-key.ts';
import { organisationKey } from '../../sites/access/organisation.ts';
import { ownSite, settingsKey, sitePointerKey, stateKey } from '../../sites/site.ts';
import { everySiteKey } from '../../sites/site-directory.ts';
import { sendCleanUp, tombstoneKey } from './clean-up.ts';

const ATTEMPTS = 5;

/** Removes the site and ends its crawl and sweep in one write. A worker then removes the site's contents. */
export async function deleteSite(
  siteId: string,
  caller: Caller,
  { table, queue, clock }: { readonly table: Table; readonly queue: Queue; readonly clock: Clock },
): Promise<void> {
  await retryWhenOvertaken(ATTEMPTS, 'other requests keep changing the site: try again', async () => {
    const { state } = await ownSite(siteId, caller.orgId, table);
    const { runningJobId: jobId, runningSweepId = null } = state;
    const now = epochSeconds(clock);
    const refused = await table.write([
      { remove: settingsKey(siteId), when: { exists: true } },
      { remove: sitePointerKey(caller.orgId, siteId) },
      { remove: everySiteKey(siteId) },
      { update: organisationKey(caller.orgId), add: { sites: -1 } },
      { remove: stateKey(siteId), when: { equals: { runningJobId: jobId, runningSweepId } } },
      { put: { ...tombstoneKey(siteId), siteId, deletedAt: now } },
      ...(jobId === null ? [] : cancelChanges(jobId, now)),
      ...(runningSweepId === null ? [] : cancelChanges(runningSweepId, now)),
    ]);
    return refused.length === 0 ? true : undefined;
  });
  await sendCleanUp({ siteId }, queue);
}
