import { type Clock, epochSeconds } from '../../clock.ts';
import { UnavailableError } from '../../errors.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Change, Condition, Table } from '../../ports/table.ts';
import type { CrawlSlice } from './job.ts';
import { type CrawlJob, jobKey, readJob, UNENDED } from './job.ts';

/** The job has ended, or another holder works it: nothing may be written any more. */
export class LostLease extends Error {
  override readonly name = 'LostLease';
}

/** How long a holder that shows no sign of life is believed to be alive. */
const LEASE_SECONDS = 120;

/** Every write of a holder bears this condition on the job. */
export const holdsLease = ({ fence }: CrawlJob): Condition => ({ equals: { fence, status: 'running' } });

/** Takes the slice, and with it the right to write; undefined if the job has ended or is not at this slice. */
export async function claimSlice(
  { jobId, slice }: CrawlSlice,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<CrawlJob | undefined> {
  const before = await readJob(jobId, table);
  if (!before) return undefined;
  return table.update<CrawlJob>(jobKey(jobId), {
    set: {
      status: 'running',
      startedAt: before.startedAt ?? epochSeconds(clock),
      leaseUntil: epochSeconds(clock) + LEASE_SECONDS,
      inFlight: [],
      ...suspicion(before),
    },
    add: { fence: 1, claims: 1 },
    when: { equals: { slice, fence: before.fence, status: UNENDED } },
  });
}

/** What was in flight when the last holder died is suspect; a URL that was in flight alone is the one it died with. */
function suspicion({ inFlight, poisonUrls, deaths }: CrawlJob): Pick<CrawlJob, 'poisonUrls' | 'deaths'> {
  const [first] = inFlight;
  const alone = inFlight.length === 1 && first !== undefined && poisonUrls.includes(first) ? first : undefined;
  return {
    poisonUrls: [...new Set([...poisonUrls, ...inFlight])],
    deaths: alone === undefined ? deaths : { ...deaths, [alone]: (deaths[alone] ?? 0) + 1 },
  };
}

/** A sign of life. Throws `LostLease` when the job was cancelled or taken over. */
export async function renewLease(
  job: CrawlJob,
  changes: Pick<Partial<CrawlJob>, 'inFlight'>,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<void> {
  const leaseUntil = epochSeconds(clock) + LEASE_SECONDS;
  const renewed = await table.update(jobKey(job.jobId), { set: { leaseUntil, ...changes }, when: holdsLease(job) });
  if (!renewed) throw new LostLease();
}

/**
 * Writes under the lease: the first change is the job's. A refused change of another item means that this very write was done
 * before and its answer was lost, for nobody else writes these items: then it counts as written.
 */
export async function writeUnderLease(changes: readonly [Change, ...Change[]], table: Table): Promise<void> {
  const refused = await table.write(changes);
  if (refused.includes(changes[0])) throw new LostLease();
}

/** Ends the slice well: the next one goes on. The message is sent last, so that it finds the job at its slice. */
export async function handOver(
  job: CrawlJob,
  poisonUrls: readonly string[],
  { table, queue, clock }: { readonly table: Table; readonly queue: Queue; readonly clock: Clock },
): Promise<void> {
  const slice = job.slice + 1;
  const leaseUntil = epochSeconds(clock) + LEASE_SECONDS;
  const next = await table.update(jobKey(job.jobId), {
    set: { slice, claims: 0, poisonUrls, inFlight: [], leaseUntil },
    when: holdsLease(job),
  });
  if (!next) throw new LostLease();
  await sendSlice({ siteId: job.siteId, jobId: job.jobId, slice }, queue);
}

/** Sends a slice again whose message has died, as the next one. Does nothing where another holder has taken it. */
export async function resend(
  job: CrawlJob,
  { table, queue, clock }: { readonly table: Table; readonly queue: Queue; readonly clock: Clock },
): Promise<void> {
  const slice = job.slice + 1;
  const next = await table.update(jobKey(job.jobId), {
    set: { slice, claims: 0, leaseUntil: epochSeconds(clock) + LEASE_SECONDS },
    when: { equals: { slice: job.slice, fence: job.fence, status: UNENDED } },
  });
  if (next) await sendSlice({ siteId: job.siteId, jobId: job.jobId, slice }, queue);
}

export const sendSlice = ({ siteId, jobId, slice }: CrawlSlice, queue: Queue): Promise<void> =>
  queue.send('crawl', {
    body: JSON.stringify({ siteId, jobId, slice }),
    group: siteId,
    deduplicationId: `${jobId}#${slice}`,
  });

/** A cancel is noticed within this time. */
export const LEASE_RENEWAL_MS = 1500;

/** Does something that may take long while showing signs of life. Throws `LostLease` as soon as one is refused, and waits no longer. */
export async function keepAlive<T>(
  job: CrawlJob,
  act: () => Promise<T>,
  deps: {
    readonly table: Table;
    readonly clock: Clock;
    readonly sleep: (ms: number) => Promise<void>;
    readonly halt: AbortSignal;
  },
): Promise<T> {
  let isDone = false;
  const doing = act().finally(() => {
    isDone = true;
  });
  doing.catch(() => undefined); // told below, unless the lease is lost before
  while (!isDone && !deps.halt.aborted) {
    await Promise.race([doing, deps.sleep(LEASE_RENEWAL_MS)]);
    if (!isDone) await renewLease(job, {}, deps).catch(unlessAway);
  }
  return doing;
}

function unlessAway(error: unknown): void {
  if (!(error instanceof UnavailableError)) throw error;
}
