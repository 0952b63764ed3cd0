import type { Queue, Table } from '../../adapters/ports.ts';
import { type Clock, epochSeconds } from '../clock.ts';
import { type CrawlJob, hasEnded, jobKey, runningKey } from './job.ts';
import { sendSlice } from './lease.ts';

/** Sends the slice of every job whose holder shows no sign of life: its message, or its holder, was lost. */
export async function reviveJobs({
  table,
  queue,
  clock,
}: {
  readonly table: Table;
  readonly queue: Queue;
  readonly clock: Clock;
}): Promise<void> {
  let after: string | undefined;
  do {
    const page = await table.query<{ jobId: string }>('RUNNING', {
      prefix: 'JOB#',
      limit: 100,
      ...(after && { after }),
    });
    const jobs = await table.getMany<CrawlJob>(page.items.map(({ jobId }) => jobKey(jobId)));
    for (const [place, job] of jobs.entries()) {
      const jobId = page.items[place]?.jobId;
      if (job && !hasEnded(job)) {
        if (job.leaseUntil < epochSeconds(clock)) await sendSlice(job, queue);
      } else if (jobId) await table.removeMany([runningKey(jobId)]);
    }
    after = page.next;
  } while (after);
}
