import { originOf } from '../../../text/web/url.ts';
import { NotFoundError } from '../../errors.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Key, Listing, Table, TableReader } from '../../ports/table.ts';
import type { CrawlerConfig } from '../../sites/site-settings.ts';
import { unknownCursor } from '../../unknown-cursor.ts';
import type { JobStatus, Outcome } from './outcomes.ts';
import type { RefusalState } from './refusal.ts';

/** Counts of URLs by outcome, and of all. They change in the write that moves a URL, so they add up. */
export type JobCounters = Readonly<Record<Outcome, number>> & {
  readonly discovered: number;
  /** Answered 200 or 304. */
  readonly answered: number;
  /** Requests for pages, answered or not. */
  readonly fetches: number;
};

/** A worker that has not renewed its lease for this long counts as dead. */
export const LEASE_SECONDS = 120;
/** The limit of fetches is this times `maxPages`. */
export const MOST_FETCHES_PER_PAGE = 5;
/** The time inside slices, waits included, after which a job ends. */
export const LONGEST_WORK_MS = 6 * 3_600_000;
/** With the time between slices. A single gap counts for a day at most: a laptop that slept for a week goes on. */
const LONGEST_LIFE_MS = 7 * 86_400_000;
const LONGEST_GAP_MS = 86_400_000;
/** Longest Retry-After honoured. Beyond it the URL ends as `unavailable`. */
export const LONGEST_RETRY_AFTER_MS = 120_000;

export type CrawlJob = JobCounters & {
  readonly jobId: string;
  /** Counts the jobs of the site, from 1, so that lists need no clock. Absent in jobs of earlier versions. */
  readonly number?: number;
  /** Absent while the job crawls. `probe`: it looks for pages that are gone. A sweep has the one phase `sweep`. */
  readonly phase?: 'probe' | 'sweep';
  readonly siteId: string;
  readonly orgId: string;
  readonly status: JobStatus;
  /** The site's settings at the start, with the overrides of this job. */
  readonly config: Omit<CrawlerConfig, 'singleUrls'>;
  /** The site's base URL, or where the site has moved to. */
  readonly baseUrl: string;
  /** The origin in the site's settings, if the site has moved to another. */
  readonly movedFrom?: string;
  /** Where the job's URL list comes from. Such a job visits only these URLs. */
  readonly listedBy?: 'singleUrls' | 'crawlUrls';
  /** The version of the site's `singleUrls` that is cleared when the job completes. */
  readonly consumes?: number;
  readonly privateHost?: string;
  /** How many pages the site may have, by the plan at the start. */
  readonly pageQuota?: number;
  /** New pages were left out because the site had that many. */
  readonly hasReachedQuota?: boolean;
  readonly generation: number;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly completedAt?: number;
  /** Milliseconds inside slices that have ended, and between slices. */
  readonly workedMs?: number;
  readonly idleMs?: number;
  /** The only slice that may run; messages of others are dropped. */
  readonly slice: number;
  /** The fencing token: rises with every claim, and a worker with an older one cannot write. */
  readonly fence: number;
  /** Its lease was taken from the worker in order to end it. */
  readonly isRevoked?: boolean;
  /** How often the current slice was claimed. */
  readonly claims?: number;
  /** Epoch milliseconds until which the site asked for a pause. */
  readonly pausedUntil?: number;
  /** Answers 429 and 503 so far, and a page that was answered otherwise (crawl/fetch/refusals.ts). */
  readonly refusals?: RefusalState;
  readonly answeredUrl?: string;
  /** Epoch seconds. The watchdog sends the slice again after it. */
  readonly leaseUntil: number;
  /** Marks of the URLs that the worker has taken; after a crash they are the poison URLs. */
  readonly inFlight: readonly string[];
  /** Marks of the URLs that were in flight at a crash: each is tried alone. */
  readonly poisonUrls: readonly string[];
  /** How often the worker died alone with a poison URL, by its mark. */
  readonly crashes: Readonly<Record<string, number>>;
  readonly currentUrl?: string;
  /** What of the settings has no effect in this job, or another one than it seems. */
  readonly warnings?: readonly string[];
  /** The id of the review that the job makes if it holds removals. A sweep has the id of its review as its own. */
  readonly reviewId?: string;
  /** Pages that the job has held for review. */
  readonly held?: number;
  /** Pages that the job has removed because they are gone. */
  readonly removed?: number;
  /** Listed pages that a sweep keeps. */
  readonly kept?: number;
  /** How far the pages to probe are listed: the sort key of the last item that was read. */
  readonly collectedTo?: string;
  readonly isCollected?: boolean;
  /** The crawled pages of the site, as far as they were read for that. */
  readonly crawledPages?: number;
  /** Pages that are almost equal to another one. */
  readonly nearDuplicates?: number;
  /** It writes nothing but its own items, and counts what another crawl would write. */
  readonly dryRun?: true;
  /** Counters of a dry run: pages that would be added, changed and removed, and tokens that a provider would get. */
  readonly added?: number;
  readonly changed?: number;
  readonly plannedTokens?: number;
  readonly goneCount?: number;
  /** The first of them. */
  readonly gonePages?: readonly { readonly url: string; readonly reason: string }[];
  readonly endReason?: string;
  readonly error?: string;
  /** Its URLs can no longer be listed: newer jobs have taken their place. */
  readonly pagesForgotten?: boolean;
};

export type Moved = Required<Pick<CrawlJob, 'baseUrl' | 'movedFrom'>>;

export const moved = ({ baseUrl, movedFrom }: Pick<CrawlJob, 'baseUrl' | 'movedFrom'>, to: string): Moved => ({
  baseUrl: to,
  movedFrom: movedFrom ?? originOf(baseUrl) ?? baseUrl,
});

/** What the site's state keeps of where its base URL leads. */
export const effectiveBase = ({ baseUrl, movedFrom }: Pick<CrawlJob, 'baseUrl' | 'movedFrom'>) => ({
  effectiveBaseUrl: baseUrl,
  effectiveFrom: movedFrom ?? originOf(baseUrl) ?? baseUrl,
});

/** The begin of a URL's hash. Some 50 of them are in the job's item, whose size every write of the job pays for. */
export const urlMark = (urlHash: string): string => urlHash.slice(0, 16);

export const jobKey = (jobId: string): Key => ({ pk: `JOB#${jobId}`, sk: 'JOB' });
/** A job with a number sorts after those without, whose ids begin with a digit. */
export const jobPointerKey = ({ siteId, jobId, number }: Pick<CrawlJob, 'siteId' | 'jobId' | 'number'>): Key => ({
  pk: `SITE#${siteId}`,
  sk: number === undefined ? `JOB#${jobId}` : `JOB#n${String(number).padStart(NUMBER_DIGITS, '0')}`,
});
const NUMBER_DIGITS = 9;
/** Exists until the job ends; for the watchdog. */
export const runningKey = (jobId: string): Key => ({ pk: 'RUNNING', sk: `JOB#${jobId}` });

/** A sweep removes the pages of an approved review. It is worked as a job of the site, beside a crawl. */
export const isSweep = ({ phase }: Pick<CrawlJob, 'phase'>): boolean => phase === 'sweep';

export const UNENDED: readonly JobStatus[] = ['pending', 'running'];
/** An overdue job does not wait for an unavailable service any more. */
export const isOverdue = ({ workedMs = 0, idleMs = 0 }: Pick<CrawlJob, 'workedMs' | 'idleMs'>): boolean =>
  workedMs > LONGEST_WORK_MS || workedMs + idleMs > LONGEST_LIFE_MS;
/** The time between slices, with the gap that ends now. */
export function idleUntil(now: number, { idleMs = 0, leaseUntil }: Pick<CrawlJob, 'idleMs' | 'leaseUntil'>): number {
  const lastSeen = (leaseUntil - LEASE_SECONDS) * 1000;
  return idleMs + Math.min(Math.max(0, now - lastSeen), LONGEST_GAP_MS);
}
export const hasEnded = ({ status }: Pick<CrawlJob, 'status'>): boolean => !UNENDED.includes(status);

export const readJob = (jobId: string, table: TableReader): Promise<CrawlJob | undefined> =>
  table.get<CrawlJob>(jobKey(jobId));

/** Takes the lease from a worker, whose writes are refused from now on. Undefined if the job is no longer as read. */
export const revokeLease = ({ jobId, fence }: CrawlJob, table: Table): Promise<CrawlJob | undefined> =>
  table.update<CrawlJob>(jobKey(jobId), {
    set: { isRevoked: true },
    add: { fence: 1 },
    when: { equals: { fence, status: UNENDED } },
  });

/** Not found for another organisation's job, for one of a deleted site, and for a sweep. */
export async function ownJob(jobId: string, orgId: string, table: TableReader): Promise<CrawlJob> {
  const job = await readJob(jobId, table);
  if (!job || job.orgId !== orgId || isSweep(job)) throw new NotFoundError('Job');
  return job;
}

/** The item of a site that stands for a job. */
export const pointedJobId = ({ sk, jobId }: { readonly sk: string; readonly jobId?: string }): string =>
  jobId ?? sk.slice('JOB#'.length);

/** Newest first. `after` and `next` are sort keys. */
export async function jobsOf(
  siteId: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
  table: TableReader,
): Promise<Listing<CrawlJob>> {
  const range = { prefix: 'JOB#', descending: true, limit, ...(after !== undefined && { after }) };
  const { items, next } = await table.query<{ jobId?: string }>(`SITE#${siteId}`, range);
  const jobs = await table.getMany<CrawlJob>(items.map((item) => jobKey(pointedJobId(item))));
  return { items: jobs.filter((job) => job !== undefined), ...(next !== undefined && { next }) };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Lists jobs as `jobsOf` does, for clients: a cursor is the id of a job. */
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
 * A job that may show pages stays on the queue whose worker has a browser. Its group says whose turn it takes
 * (domain/ports/queue.ts).
 */
export function sendSlice(
  { orgId, siteId, jobId, slice, config }: CrawlSlice & Pick<CrawlJob, 'orgId' | 'config'>,
  queue: Queue,
): Promise<void> {
  const body = JSON.stringify({ siteId, jobId, slice });
  const message = { body, group: `${orgId}/${siteId}`, deduplicationId: `${jobId}#${slice}` };
  return config.javascriptEnabled === false ? queue.send('crawl', message) : queue.send('render', message);
}
