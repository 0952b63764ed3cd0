import { type Clock, epochSeconds, isDue } from '../../clock.ts';
import { everyItem } from '../../every-item.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table } from '../../ports/table.ts';
import { endCrawl } from './end-crawl.ts';
import {
  type CrawlSlice,
  hasEnded,
  idleUntil,
  isOverdue,
  jobKey,
  LEASE_SECONDS,
  readJob,
  revokeLease,
  runningKey,
  sendSlice,
  UNENDED,
} from './job.ts';
import { jobEnd, STILL_SEARCHABLE } from './job-end.ts';
import { leaseFrom } from './slice.ts';

/** A dead letter whose slice has fewer claims failed because the table was unavailable, not because of the slice. */
const CLAIMS_OF_A_DEAD_SLICE = 3;

type RecoveryDeps = { readonly table: Table; readonly queue: Queue; readonly clock: Clock };

/**
 * Runs the watchdog: sends the current slice of every job whose lease has expired, because its message or its worker
 * was lost. Sending a slice that is still queued has no effect. Pass `trustLeases: false` at a start at which no worker
 * can be alive.
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
    else if (!trustLeases || isDue(job.leaseUntil, epochSeconds(clock), LEASE_SECONDS)) await sendSlice(job, queue);
  }
}

/** Fails the job of a dead letter, or sends the slice again if only the table was unavailable. */
export async function failDeadSlice(message: CrawlSlice, { table, queue, clock }: RecoveryDeps): Promise<void> {
  const job = await readJob(message.jobId, table);
  if (!job || hasEnded(job) || job.slice !== message.slice) return;
  const { jobId, fence } = job;
  const when = { equals: { slice: job.slice, fence, status: UNENDED } };
  const idleMs = idleUntil(clock(), job);
  if ((job.claims ?? 0) < CLAIMS_OF_A_DEAD_SLICE && !isOverdue({ ...job, idleMs })) {
    const slice = job.slice + 1;
    const set = { slice, claims: 0, leaseUntil: leaseFrom(clock), idleMs };
    if (await table.update(jobKey(jobId), { set, when })) await sendSlice({ ...job, slice }, queue);
    return;
  }
  const revoked = await revokeLease(job, table);
  if (!revoked) return;
  const whenRevoked = { equals: { ...when.equals, fence: revoked.fence } };
  // The crawl itself is complete. Gone pages are left to the next crawl.
  if (job.phase === 'probe') {
    await endCrawl(job, await jobEnd(job, 'done', table), whenRevoked, { table, queue, clock });
    return;
  }
  const url = job.currentUrl ?? job.baseUrl;
  const error = `The crawl failed repeatedly, most recently near ${url}. ${STILL_SEARCHABLE} Start the crawl again.`;
  await endCrawl(job, { status: 'failed', endReason: 'internal_error', error }, whenRevoked, { table, queue, clock });
}
