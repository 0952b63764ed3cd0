import type { Caller } from '../../access/api-key.ts';
import type { Clock } from '../../clock.ts';
import { retryWhenOvertaken } from '../../optimistic-retry.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table } from '../../ports/table.ts';
import { endCrawl } from './end-crawl.ts';
import { type CrawlJob, hasEnded, ownJob, revokeLease, UNENDED } from './job.ts';

/** Workers may take the job in between. */
const ATTEMPTS = 5;

/** Ends a job and frees its site. A job that has ended stays as it is. */
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
