import type { Clock } from '../../clock.ts';
import { retryWhenOvertaken } from '../../optimistic-retry.ts';
import { announceCleanUp } from '../../pages/removal/clean-up.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Condition, Table } from '../../ports/table.ts';
import type { Caller } from '../../sites/access/api-key.ts';
import { announceEvents } from '../../webhooks/outbox.ts';
import { type CrawlJob, hasEnded, ownJob, revokeLease, UNENDED } from './job.ts';
import { endJob, type JobEnd } from './job-end.ts';

/** Ends a job (`endJob`), then asks workers to send its event and to remove what the job no longer needs. */
export async function endCrawl(
  job: CrawlJob,
  end: JobEnd,
  when: Condition,
  { queue, ...deps }: { readonly table: Table; readonly queue: Queue; readonly clock: Clock },
): Promise<void> {
  if (!(await endJob(job, end, when, deps))) return;
  await announceEvents(job.siteId, queue);
  await announceCleanUp(job.siteId, queue);
}

/** Number of tries, because workers may claim the job in between. */
const ATTEMPTS = 5;

/** Cancels a job and frees its site. A job that has ended is unchanged. */
export async function cancelCrawl(
  jobId: string,
  { orgId }: Pick<Caller, 'orgId'>,
  { table, queue, clock }: { readonly table: Table; readonly queue: Queue; readonly clock: Clock },
): Promise<CrawlJob> {
  return retryWhenOvertaken(ATTEMPTS, 'workers keep taking the job: try again', async () => {
    const job = await ownJob(jobId, orgId, table);
    if (hasEnded(job)) return job;
    const revoked = await revokeLease(job, table);
    if (!revoked) return undefined;
    const when = { equals: { status: UNENDED, fence: revoked.fence } };
    await endCrawl(revoked, { status: 'cancelled', endReason: 'cancelled' }, when, { table, queue, clock });
    const ended = await ownJob(jobId, orgId, table);
    return hasEnded(ended) ? ended : undefined;
  });
}
