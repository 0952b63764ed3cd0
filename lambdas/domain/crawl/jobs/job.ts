import { defined } from '../../../text/defined.ts';
import { originOf } from '../../../text/web/url.ts';
import { NotFoundError } from '../../errors.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Key, Listing, Table, TableReader } from '../../ports/table.ts';
import type { CrawlerConfig } from '../../sites/site-settings.ts';
import { unknownCursor } from '../../unknown-cursor.ts';
import type { JobStatus, Outcome } from './outcomes.ts';
import type { RefusalState } from './refusal.ts';

/** Counts of URLs by outcome and in total. They change in the write that moves a URL, so they add up. */
export type JobCounters = Readonly<Record<Outcome, number>> & {
  readonly discovered: number;
  /** URLs answered with 200 or 304. */
  readonly answered: number;
  /** Requests for pages, whether answered or not. */
  readonly fetches: number;
};

/** A worker whose lease was not renewed for this many seconds counts as dead. */
export const LEASE_SECONDS = 120;
/** The maximum number of fetches is this factor times `maxPages`. */
export const MAX_FETCHES_PER_PAGE = 5;
/** Maximum time inside slices, including waits, after which a job ends. */
export const MAX_WORK_MS = 6 * 3_600_000;
/**
 * Maximum age of a job, including time between slices. A gap counts as at most one day, so a job survives a laptop that
 * slept for a week.
 */
const MAX_LIFETIME_MS = 7 * 86_400_000;
const MAX_GAP_MS = 86_400_000;
/** Longest Retry-After honoured. Beyond it the URL ends as `unavailable`. */
export const MAX_RETRY_AFTER_MS = 120_000;

export type CrawlJob = JobCounters & {
  readonly jobId: string;
  /** The job's number within the site, from 1, so that lists need no clock. Absent in jobs of earlier versions. */
  readonly number?: number;
  /** Absent during a crawl. `probe`: pages that may be gone are probed. A sweep only has the phase `sweep`. */
  readonly phase?: 'probe' | 'sweep';
  readonly siteId: string;
  readonly orgId: string;
  readonly status: JobStatus;
  /** The site's settings at the start, with the overrides of this job. */
  readonly config: Omit<CrawlerConfig, 'singleUrls'>;
  /** The site's base URL, or the URL to which the site has moved. */
  readonly baseUrl: string;
  /** The origin in the site's settings, if the site has moved to another one. */
  readonly movedFrom?: string;
  /** The source of the job's URL list. Such a job visits only these URLs. */
  readonly listedBy?: 'singleUrls' | 'crawlUrls';
  /** The version of the site's `singleUrls` that is cleared when the job completes. */
  readonly consumes?: number;
  readonly privateHost?: string;
  /** Maximum number of pages of the site, according to the plan at the start. */
  readonly pageQuota?: number;
  /** Whether new pages were left out because of `pageQuota`. */
  readonly hasReachedQuota?: boolean;
  readonly generation: number;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly completedAt?: number;
  /** Milliseconds inside ended slices, and between slices. */
  readonly workedMs?: number;
  readonly idleMs?: number;
  /** The only slice that may run. Messages for other slices are dropped. */
  readonly slice: number;
  /** The fencing token. Every claim raises it, and a worker with an older one cannot write. */
  readonly fence: number;
  /** Whether another process revoked the worker's lease to end the job. */
  readonly isRevoked?: boolean;
  /** Number of claims of the current slice. */
  readonly claims?: number;
  /** Epoch milliseconds until which the site asked for a pause. */
  readonly pausedUntil?: number;
  /** State of the 429 and 503 answers so far, and a page that was answered otherwise (crawl/fetch/refusals.ts). */
  readonly refusals?: RefusalState;
  readonly answeredUrl?: string;
  /** Epoch seconds, after which the watchdog sends the slice again. */
  readonly leaseUntil: number;
  /** Marks of the URLs that the worker has taken. After a crash they are the poison URLs. */
  readonly inFlight: readonly string[];
  /** Marks of the URLs that were in flight at a crash. Each is tried alone. */
  readonly poisonUrls: readonly string[];
  /** Number of times that the worker died alone with a poison URL, by its mark. */
  readonly crashes: Readonly<Record<string, number>>;
  readonly currentUrl?: string;
  /** Settings that have no effect in this job, or not the expected one. */
  readonly warnings?: readonly string[];
  /** The id of the review that the job creates if it holds removals. A sweep's own id is that of its review. */
  readonly reviewId?: string;
  /** Number of pages that the job has held for review. */
  readonly held?: number;
  /** Number of gone pages that the job has removed. */
  readonly removed?: number;
  /** Number of listed pages that a sweep keeps. */
  readonly kept?: number;
  /** The sort key of the last item read while listing the pages to probe. */
  readonly collectedTo?: string;
  readonly isCollected?: boolean;
  /** Number of crawled pages read while listing the pages to probe. */
  readonly crawledPages?: number;
  /** Number of pages that nearly equal another one. */
  readonly nearDuplicates?: number;
  /** Set for a dry run: it writes only its own items, and counts what another crawl would write. */
  readonly dryRun?: true;
  /** Counters of a dry run: pages to be added, changed and removed, and tokens that a provider would be sent. */
  readonly added?: number;
  readonly changed?: number;
  readonly plannedTokens?: number;
  readonly goneCount?: number;
  /** The first of the gone pages. */
  readonly gonePages?: readonly { readonly url: string; readonly reason: string }[];
  readonly endReason?: string;
  readonly error?: string;
  /** Whether its URLs can no longer be listed, because of newer jobs. */
  readonly pagesForgotten?: boolean;
};

export type Moved = Required<Pick<CrawlJob, 'baseUrl' | 'movedFrom'>>;

export const moved = ({ baseUrl, movedFrom }: Pick<CrawlJob, 'baseUrl' | 'movedFrom'>, to: string): Moved => ({
  baseUrl: to,
  movedFrom: movedFrom ?? originOf(baseUrl) ?? baseUrl,
});

/** Returns the fields of the site's state that tell where its base URL leads. */
export const effectiveBase = ({ baseUrl, movedFrom }: Pick<CrawlJob, 'baseUrl' | 'movedFrom'>) => ({
  effectiveBaseUrl: baseUrl,
  effectiveFrom: movedFrom ?? originOf(baseUrl) ?? baseUrl,
});

/**
 * Returns the start of a URL's hash. The job's item holds about 50 marks, and every write of the job pays for its size.
 */
export const urlMark = (urlHash: string): string => urlHash.slice(0, 16);

export const jobKey = (jobId: string): Key => ({ pk: `JOB#${jobId}`, sk: 'JOB' });
/**
 * Returns the key of a site's item that names a job. A numbered job sorts after those without a number, whose ids begin
 * with a digit.
 */
export const jobPointerKey = ({ siteId, jobId, number }: Pick<CrawlJob, 'siteId' | 'jobId' | 'number'>): Key => ({
  pk: `SITE#${siteId}`,
  sk: number === undefined ? `JOB#${jobId}` : `JOB#n${String(number).padStart(NUMBER_DIGITS, '0')}`,
});
const NUMBER_DIGITS = 9;
/** Returns the key of an item that exists until the job ends, for the watchdog. */
export const runningKey = (jobId: string): Key => ({ pk: 'RUNNING', sk: `JOB#${jobId}` });

/**
 * Returns whether a job is a sweep. A sweep removes the pages of an approved review. It runs as a job of the site,
 * possibly at the same time as a crawl.
 */
export const isSweep = ({ phase }: Pick<CrawlJob, 'phase'>): boolean => phase === 'sweep';

export const UNENDED: readonly JobStatus[] = ['pending', 'running'];
/** Returns whether a job is overdue. It then no longer waits for an unavailable service. */
export const isOverdue = ({ workedMs = 0, idleMs = 0 }: Pick<CrawlJob, 'workedMs' | 'idleMs'>): boolean =>
  workedMs > MAX_WORK_MS || workedMs + idleMs > MAX_LIFETIME_MS;
/** Returns the milliseconds between slices, including the gap that ends now. */
export function idleUntil(now: number, { idleMs = 0, leaseUntil }: Pick<CrawlJob, 'idleMs' | 'leaseUntil'>): number {
  const lastSeen = (leaseUntil - LEASE_SECONDS) * 1000;
  return idleMs + Math.min(Math.max(0, now - lastSeen), MAX_GAP_MS);
}
export const hasEnded = ({ status }: Pick<CrawlJob, 'status'>): boolean => !UNENDED.includes(status);

export const readJob = (jobId: string, table: TableReader): Promise<CrawlJob | undefined> =>
  table.get<CrawlJob>(jobKey(jobId));

/**
 * Revokes the lease of a worker, whose writes are refused from now on. Returns undefined if the job has changed since
 * it was read.
 */
export const revokeLease = ({ jobId, fence }: CrawlJob, table: Table): Promise<CrawlJob | undefined> =>
  table.update<CrawlJob>(jobKey(jobId), {
    set: { isRevoked: true },
    add: { fence: 1 },
    when: { equals: { fence, status: UNENDED } },
  });

/** Returns the job. Throws `NotFoundError` for another organisation's job, one of a deleted site, and a sweep. */
export async function ownJob(jobId: string, orgId: string, table: TableReader): Promise<CrawlJob> {
  const job = await readJob(jobId, table);
  if (!job || job.orgId !== orgId || isSweep(job)) throw new NotFoundError('Job');
  return job;
}

/** Returns the id of the job that a site's item names. */
export const pointedJobId = ({ sk, jobId }: { readonly sk: string; readonly jobId?: string }): string =>
  jobId ?? sk.slice('JOB#'.length);

/** Lists a site's jobs, newest first. `after` and `next` are sort keys. */
export async function jobsOf(
  siteId: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
  table: TableReader,
): Promise<Listing<CrawlJob>> {
  const range = { prefix: 'JOB#', descending: true, limit, ...defined({ after }) };
  const { items, next } = await table.query<{ jobId?: string }>(`SITE#${siteId}`, range);
  const jobs = await table.getMany<CrawlJob>(items.map((item) => jobKey(pointedJobId(item))));
  return { items: jobs.filter((job) => job !== undefined), ...defined({ next }) };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Lists jobs like `jobsOf`, but for clients: a cursor is the id of a job. */
export async function listJobs(
  siteId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  table: TableReader,
): Promise<Listing<CrawlJob>> {
  const last = cursor !== undefined && UUID.test(cursor) ? await readJob(cursor, table) : undefined;
  if (cursor !== undefined && (last?.siteId !== siteId || isSweep(last))) throw unknownCursor();
  const { items, next } = await jobsOf(siteId, { limit, after: last && jobPointerKey(last).sk }, table);
  const end = items.at(-1);
  return { items, ...(next !== undefined && end && { next: end.jobId }) };
}

/** The message of the crawl queues. */
export type CrawlSlice = Pick<CrawlJob, 'siteId' | 'jobId' | 'slice'>;

/**
 * Sends a slice. A job that may render pages stays on the queue whose workers have a browser. The group decides the
 * order of slices (domain/ports/queue.ts).
 */
export function sendSlice(
  { orgId, siteId, jobId, slice, config }: CrawlSlice & Pick<CrawlJob, 'orgId' | 'config'>,
  queue: Queue,
): Promise<void> {
  const body = JSON.stringify({ siteId, jobId, slice });
  const message = { body, group: `${orgId}/${siteId}`, deduplicationId: `${jobId}#${slice}` };
  return config.javascriptEnabled === false ? queue.send('crawl', message) : queue.send('render', message);
}
