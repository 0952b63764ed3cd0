import { type Clock, epochSeconds, isDue } from '../../clock.ts';
import { UnavailableError } from '../../errors.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Change, Condition, FieldChanges, Table } from '../../ports/table.ts';
import { retryWhileUnavailable } from '../../retry.ts';
import {
  type CrawlJob,
  type CrawlSlice,
  hasEnded,
  idleUntil,
  isOverdue,
  jobKey,
  LEASE_SECONDS,
  MAX_RETRY_AFTER_MS,
  readJob,
  sendSlice,
  UNENDED,
  urlMark,
} from './job.ts';
import type { JobEnd } from './job-end.ts';

/** Thrown if the job has ended or another worker has claimed it. This worker must not write any more. */
export class LostLease extends Error {
  override readonly name = 'LostLease';
}

export type SliceDeps = {
  readonly table: Table;
  readonly queue: Queue;
  /** A steady clock (domain/clock.ts). */
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  /** Aborted when the process is about to end. The slice then hands over. */
  readonly halt: AbortSignal;
};

/** Shorter than the function's timeout and the message's visibility timeout. */
const SLICE_MS = 90_000;
/** Time for embedding the last batches after the deadline. The rest of the function's 115 s is for writes. */
const LAST_EMBEDDING_MS = 10_000;
/** A longer slice means that the machine slept, which its steady clock counts. */
const MAX_SLICE_MS = 900_000;
/** A cancelled job is noticed within this many milliseconds. */
export const LEASE_RENEWAL_MS = 1500;

/** How a slice ends: with the end of its job, or by handing over to the next slice, which may have another phase. */
export type SliceEnd =
  | { readonly end: JobEnd }
  | { readonly phase?: NonNullable<CrawlJob['phase']>; readonly poisonUrls?: readonly string[] };

/** Returns the condition of every write of a slice: its fencing token is the newest and the job is running. */
export const holdsLease = ({ fence }: CrawlJob): Condition => ({ equals: { fence, status: 'running' } });

/** A claimed slice of a job. Until its deadline, only this worker may write the job. */
export class Slice {
  readonly job: CrawlJob;
  /** Epoch milliseconds. */
  readonly deadline: number;
  readonly table: Table;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly halt: AbortSignal;
  readonly queue: Queue;
  readonly #startedAt: number;

  private constructor(job: CrawlJob, startedAt: number, { table, queue, clock, sleep, halt }: SliceDeps) {
    this.job = job;
    this.#startedAt = startedAt;
    this.deadline = startedAt + SLICE_MS;
    this.table = table;
    this.clock = clock;
    this.sleep = sleep;
    this.halt = halt;
    this.queue = queue;
  }

  /** Claims a slice. Returns undefined if the job has ended or is at another slice. */
  static async claim(message: CrawlSlice, deps: SliceDeps): Promise<Slice | undefined> {
    const startedAt = deps.clock();
    const deadline = startedAt + SLICE_MS;
    const job = await retryWhileUnavailable(() => claimJob(message, deps), { ...deps, deadline });
    return job && new Slice(job, startedAt, deps);
  }

  /** Milliseconds inside slices so far, this one included. */
  get workedMs(): number {
    return (this.job.workedMs ?? 0) + Math.min(this.clock() - this.#startedAt, MAX_SLICE_MS);
  }

  /** Milliseconds left for embedding, which must end before the function does. */
  get embeddingMs(): number {
    return this.deadline + LAST_EMBEDDING_MS - this.clock();
  }

  get isOverdue(): boolean {
    return isOverdue({ ...this.job, workedMs: this.workedMs });
  }

  /** Milliseconds left of the pause for which the site asked in an earlier slice. */
  get pauseMs(): number {
    const { pausedUntil = 0 } = this.job;
    const now = this.clock();
    return isDue(pausedUntil, now, MAX_RETRY_AFTER_MS) ? 0 : pausedUntil - now;
  }

  /** Repeats an idempotent step while a service is unavailable, until the deadline, and keeps the lease. */
  attempt<T>(step: () => Promise<T>): Promise<T> {
    return this.keepAlive(() => retryWhileUnavailable(step, this));
  }

  /** Renews the lease while a step runs. Throws `LostLease` at once when a renewal is refused. */
  async keepAlive<T>(step: () => Promise<T>): Promise<T> {
    let isDone = false;
    const running = step().finally(() => {
      isDone = true;
    });
    running.catch(() => undefined); // the last line throws the error, unless the lease is lost first
    while (!isDone && !this.halt.aborted) {
      await Promise.race([running, this.sleep(LEASE_RENEWAL_MS)]);
      if (!isDone) await this.renew().catch(ignoreUnavailable);
    }
    return running;
  }

  /** Renews the lease. If given, it records the hashes of the URLs in flight. */
  async renew({ inFlight }: Pick<Partial<CrawlJob>, 'inFlight'> = {}): Promise<void> {
    const { job, table, workedMs } = this;
    const taken = inFlight && { inFlight: inFlight.map(urlMark) };
    const set = { leaseUntil: leaseFrom(this.clock), workedMs, ...taken };
    if (!(await table.update(jobKey(job.jobId), { set, when: holdsLease(job) }))) throw new LostLease();
  }

  /** Writes under the fencing token. Returns the refused changes, which an earlier write without an answer has made. */
  async write(changes: readonly Change[], ofJob?: FieldChanges): Promise<readonly Change[]> {
    const key = jobKey(this.job.jobId);
    const when = holdsLease(this.job);
    const own: Change = ofJob ? { update: key, ...ofJob, when } : { check: key, when };
    const refused = await this.table.write([own, ...changes]);
    if (refused.includes(own)) throw new LostLease();
    return refused;
  }

  /** Ends this slice and sends the next one. The message is sent last, so that it finds the job at its slice. */
  async handOver(poisonUrls: readonly string[] = [], changes: Pick<Partial<CrawlJob>, 'phase'> = {}): Promise<void> {
    const slice = this.job.slice + 1;
    const progress = { leaseUntil: leaseFrom(this.clock), workedMs: this.workedMs };
    const left = { poisonUrls: poisonUrls.map(urlMark), inFlight: [] };
    await this.write([], { set: { ...changes, slice, claims: 0, ...left, ...progress } });
    await sendSlice({ ...this.job, slice }, this.queue);
  }
}

/** Raises the fencing token, so that writes of an earlier holder are refused from now on. */
async function claimJob({ jobId, slice }: CrawlSlice, { table, clock }: SliceDeps): Promise<CrawlJob | undefined> {
  const before = await readJob(jobId, table);
  if (!before) return undefined;
  return table.update<CrawlJob>(jobKey(jobId), {
    set: {
      status: 'running',
      startedAt: before.startedAt ?? epochSeconds(clock),
      leaseUntil: leaseFrom(clock),
      idleMs: idleUntil(clock(), before),
      inFlight: [],
      isRevoked: false,
      ...crashesOf(before),
    },
    add: { fence: 1, claims: 1 },
    when: { equals: { slice, fence: before.fence, status: UNENDED } },
  });
}

/**
 * Returns the poison URLs after a crash, including all URLs in flight. A poison URL that was in flight alone caused the
 * crash.
 */
function crashesOf({ inFlight, poisonUrls, crashes }: CrawlJob): Pick<CrawlJob, 'poisonUrls' | 'crashes'> {
  const [first] = inFlight;
  const cause = inFlight.length === 1 && first !== undefined && poisonUrls.includes(first) ? first : undefined;
  return {
    poisonUrls: [...new Set([...poisonUrls, ...inFlight])],
    crashes: cause === undefined ? crashes : { ...crashes, [cause]: (crashes[cause] ?? 0) + 1 },
  };
}

export const leaseFrom = (clock: Clock): number => epochSeconds(clock) + LEASE_SECONDS;

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof UnavailableError)) throw error;
}

/**
 * Sends the current slice again, in case a worker died between its hand-over and its message. The queue drops
 * duplicates.
 */
export async function resendCurrentSlice(
  { jobId, slice }: CrawlSlice,
  { table, queue }: Pick<SliceDeps, 'table' | 'queue'>,
): Promise<void> {
  const job = await readJob(jobId, table);
  if (job && !hasEnded(job) && job.slice > slice) await sendSlice(job, queue);
}
