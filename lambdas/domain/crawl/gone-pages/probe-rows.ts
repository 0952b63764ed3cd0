import { epochSeconds } from '../../clock.ts';
import { everyItem, firstItems } from '../../every-item.ts';
import type { Change, Key, Table } from '../../ports/table.ts';
import type { CrawlJob } from '../jobs/job.ts';
import type { Slice } from '../jobs/slice.ts';
import type { NextTry } from '../jobs/url-rows.ts';
import type { GonePage, RemovalReason } from '../reviews/review.ts';

/* Rows of pages that may be gone: `PROBE#` until the verdict; then, in a crawl, `GONE#` for gone pages. */

export type Probe = Partial<NextTry> & {
  readonly url: string;
  readonly urlHash: string;
  /** Whether the crawl found the URL. */
  readonly isMet?: boolean;
  /** Whether the site has moved and the crawl found the same page on its new origin. */
  readonly isMoved?: boolean;
  /** The reason for which a sweep lists the page. */
  readonly listedFor?: RemovalReason;
};

export type Gone = GonePage & Pick<Probe, 'urlHash' | 'isMoved'>;

const PROBES = 'PROBE#';
const GONE = 'GONE#';
/** Longer than any job exists, so that rows of a cancelled job expire. */
const KEPT_SECONDS = 14 * 24 * 3600;

const pk = (jobId: string): string => `JOB#${jobId}`;
const probeKey = (jobId: string, { urlHash }: Pick<Probe, 'urlHash'>): Key => ({
  pk: pk(jobId),
  sk: PROBES + urlHash,
});
const goneKey = (jobId: string, { urlHash }: Pick<Gone, 'urlHash'>): Key => ({ pk: pk(jobId), sk: GONE + urlHash });

const expiryOf = ({ clock }: Pick<Slice, 'clock'>): number => epochSeconds(clock) + KEPT_SECONDS;

type JobSlice = Pick<Slice, 'job' | 'clock'>;

export const addProbe = (probe: Probe, slice: JobSlice): Change => ({
  put: { ...probe, ...probeKey(slice.job.jobId, probe), expiresAt: expiryOf(slice) },
});

/** Ends a probe. Refused if an earlier write, whose answer was lost, has ended it. */
export const endProbe = (probe: Probe, { job }: JobSlice): Change => ({
  remove: probeKey(job.jobId, probe),
  when: { exists: true },
});

export const postponeProbe = (probe: Probe, next: NextTry, { job }: JobSlice): Change => ({
  update: probeKey(job.jobId, probe),
  set: { ...next },
  when: { exists: true },
});

export const addGone = ({ url, urlHash, isMoved = false }: Probe, reason: RemovalReason, slice: JobSlice): Change => ({
  put: { ...goneKey(slice.job.jobId, { urlHash }), url, urlHash, reason, isMoved, expiresAt: expiryOf(slice) },
});

export const endGone = (page: Gone, { job }: JobSlice): Change => ({
  remove: goneKey(job.jobId, page),
  when: { exists: true },
});

type JobTable = { readonly job: Pick<CrawlJob, 'jobId'>; readonly table: Table };

/** Reads a probe by the mark of its URL (`urlMark`). */
export async function readProbe(mark: string, { job, table }: JobTable): Promise<Probe | undefined> {
  const [probe] = await firstItems<Probe>(table, pk(job.jobId), { prefix: PROBES + mark, limit: 1 });
  return probe;
}

export const firstProbes = (limit: number, { job, table }: JobTable) =>
  firstItems<Probe>(table, pk(job.jobId), { prefix: PROBES, limit });

export const firstGone = (limit: number, { job, table }: JobTable) =>
  firstItems<Gone>(table, pk(job.jobId), { prefix: GONE, limit });

export const everyGone = ({ job, table }: JobTable) => everyItem<Gone>(table, pk(job.jobId), GONE);
