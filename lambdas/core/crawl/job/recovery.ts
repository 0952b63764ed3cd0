import { type Clock, epochSeconds } from '../../clock.ts';
import { everyItem } from '../../every-item.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table } from '../../ports/table.ts';
import { hasEnded, readJob, runningKey } from './job.ts';
import { sendSlice } from './slice.ts';

/**
 * Sends the slice of every job whose holder shows no sign of life: its message, or its holder, was lost. Sending one again that is
 * still there does nothing. `trustLeases: false` is for a start at which no holder can be alive.
 */
export async function reviveJobs({
  table,
  queue,
  clock,
  trustLeases,
}: {
  readonly table: Table;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly trustLeases: boolean;
}): Promise<void> {
  for await (const { jobId } of everyItem<{ jobId: string }>(table, 'RUNNING', 'JOB#')) {
    const job = await readJob(jobId, table);
    if (!job || hasEnded(job)) await table.removeMany([runningKey(jobId)]);
    else if (!trustLeases || job.leaseUntil < epochSeconds(clock)) await sendSlice(job, queue);
  }
}
