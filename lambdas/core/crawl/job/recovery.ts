import { type Clock, epochSeconds } from '../../clock.ts';
import { everyItem } from '../../every-item.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table } from '../../ports/table.ts';
import { type CrawlSlice, hasEnded, isOverdue, jobKey, readJob, runningKey, UNENDED } from './job.ts';
import { endJob, STILL_SEARCHABLE } from './job-end.ts';
import { leaseFrom, sendSlice } from './slice.ts';

/** A dead letter whose slice was claimed fewer times died because the table was down, not because of the slice. */
const CLAIMS_OF_A_DEAD_SLICE = 3;

type RecoveryDeps = { readonly table: Table; readonly queue: Queue; readonly clock: Clock };

/**
 * The watchdog: sends the current slice of every job whose lease has expired, because its message or its worker was
 * lost. Sending a slice that is still queued does nothing. `trustLeases: false` is for a start at which no worker can
 * be alive.
 */
export async function reviveJobs({
  table,
  queue,
  clock,
  trustLeases,
}: RecoveryDeps & { readonly trustLeases: boolean }): Promise<void> {
  for await (const { jobId } of everyItem<{ jobId: string }>(table, 'RUNNING', 'JOB#')) {
    const job = await readJob(jobId, table);
    if (!job || hasEnded(job)) await table.removeMany([runningKey(jobId)]);
    else if (!trustLeases || job.leaseUntil < epochSeconds(clock)) await sendSlice(job, queue);
  }
}

/** For a worker that died between its hand-over and its message. The queue drops duplicates. */
export async function resendCurrentSlice(
  { jobId, slice }: CrawlSlice,
  { table, queue }: Pick<RecoveryDeps, 'table' | 'queue'>,
): Promise<void> {
  const job = await readJob(jobId, table);
  if (job && !hasEnded(job) && job.slice > slice) await sendSlice(job, queue);
}

/** Fails the job of a dead letter, or sends the slice again if only the table was down. */
export async function failDeadSlice(message: CrawlSlice, { table, queue, clock }: RecoveryDeps): Promise<void> {
  const job = await readJob(message.jobId, table);
  if (!job || hasEnded(job) || job.slice !== message.slice) return;
  const { siteId, jobId, fence } = job;
  const when = { equals: { slice: job.slice, fence, status: UNENDED } };
  if ((job.claims ?? 0) < CLAIMS_OF_A_DEAD_SLICE && !isOverdue(job, clock)) {
    const slice = job.slice + 1;
    const set = { slice, claims: 0, leaseUntil: leaseFrom(clock) };
    if (await table.update(jobKey(jobId), { set, when })) await sendSlice({ siteId, jobId, slice }, queue);
    return;
  }
  const url = job.currentUrl ?? job.baseUrl;
  const error = `The crawl failed repeatedly, most recently near ${url}. ${STILL_SEARCHABLE} Start the crawl again.`;
  await endJob(job, { status: 'failed', endReason: 'internal_error', error }, when, { table, clock });
}
