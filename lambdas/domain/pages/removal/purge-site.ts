import { type Clock, epochSeconds } from '../../clock.ts';
import { cancelChanges, endEvent } from '../../crawl/jobs/job-end.ts';
import { retryWhenOvertaken } from '../../optimistic-retry.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Change, Table } from '../../ports/table.ts';
import type { Caller } from '../../sites/access/api-key.ts';
import { languageField, ownSite, stateKey } from '../../sites/site.ts';
import { announceEvents } from '../../webhooks/outbox.ts';
import { announceCleanUp, purgeKey } from './clean-up.ts';

/** Maximum number of tries, because each ingested or crawled page may come in between. */
const ATTEMPTS = 30;

/**
 * Starts a new generation of the site, without pages, and ends its crawl and sweep, in one write. Returns the number of
 * pages before. A worker then removes the contents of earlier generations.
 */
export async function purgeSite(
  siteId: string,
  { orgId }: Pick<Caller, 'orgId'>,
  { table, queue, clock }: { readonly table: Table; readonly queue: Queue; readonly clock: Clock },
): Promise<number> {
  const pages = await retryWhenOvertaken(ATTEMPTS, 'pages keep being written to the site: try again', async () => {
    const { state } = await ownSite(siteId, orgId, table);
    const { runningJobId, runningSweepId = null, pageCount, languages = [] } = state;
    const generation = state.generation + 1;
    const now = epochSeconds(clock);
    const refused = await table.write([
      {
        update: stateKey(siteId),
        set: { generation, pageCount: 0, runningJobId: null, runningSweepId: null },
        unset: ['lastCrawl', ...languages.map(languageField)],
        when: { exists: true, equals: { generation: state.generation, pageCount, runningJobId, runningSweepId } },
      },
      { put: { ...purgeKey(siteId), siteId, generation, deletedAt: now } },
      ...(runningJobId === null ? [] : cancelledCrawl(siteId, runningJobId, now)),
      ...(runningSweepId === null ? [] : cancelChanges(runningSweepId, now)),
    ]);
    return refused.length === 0 ? pageCount : undefined;
  });
  await announceCleanUp(siteId, queue);
  await announceEvents(siteId, queue);
  return pages;
}

const cancelledCrawl = (siteId: string, jobId: string, now: number): readonly Change[] => [
  ...cancelChanges(jobId, now),
  endEvent({ siteId, jobId }, 'cancelled', now),
];
