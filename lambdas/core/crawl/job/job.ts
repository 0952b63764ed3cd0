import { type Clock, epochSeconds } from '../../clock.ts';
import { NotFoundError } from '../../errors.ts';
import type { Key, Listing, Table } from '../../ports/table.ts';
import type { CrawlerConfig } from '../../sites/site-settings.ts';
import { originOf } from '../../web/url.ts';
import type { Outcome } from './outcomes.ts';

export type JobStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';

/** Counters of the URLs that have ended, by outcome, and of those met. They change in the write that moves a URL, so they add up. */
export type JobCounters = Readonly<Record<Outcome, number>> & {
  readonly discovered: number;
  /** Answered 200 or 304. */
  readonly answered: number;
  /** Requests for pages, answered or not. */
  readonly fetches: number;
};

/** A job asks for so many URLs for each page that it may have. */
export const MOST_FETCHES_PER_PAGE = 5;
export const LONGEST_JOB_SECONDS = 6 * 3600;

export type CrawlJob = JobCounters & {
  readonly jobId: string;
  readonly siteId: string;
  readonly orgId: string;
  readonly status: JobStatus;
  /** The site's settings as they were at the start, with the overrides of this job. */
  readonly config: Omit<CrawlerConfig, 'singleUrls'>;
  /** The site's, or where it has moved to. */
  readonly baseUrl: string;
  /** The origin that the site has by its settings, once it has moved to another. */
  readonly movedFrom?: string;
  /** What gave it a list of URLs: it visits only these. */
  readonly listedBy?: 'singleUrls' | 'crawlUrls';
  /** The version of the site's `singleUrls` that it uses up when it completes. */
  readonly consumes?: number;
  readonly privateHost?: string;
  readonly generation: number;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly completedAt?: number;
  /** The one slice that may run next; any other message is dropped. */
  readonly slice: number;
  /** Rises with every claim: a holder whose number was overtaken cannot write any more. */
  readonly fence: number;
  /** How often the present slice was claimed. */
  readonly claims?: number;
  /** Epoch milliseconds before which the site asked not to be asked. */
  readonly pausedUntil?: number;
  /** Epoch seconds until which the holder of the slice is taken to be alive; for the watchdog. */
  readonly leaseUntil: number;
  /** The queued URLs being worked on. A holder that ends well leaves none, so those found at a claim were in flight at a crash. */
  readonly inFlight: readonly string[];
  /** URLs that were in flight at a crash: each is tried alone. */
  readonly poisonUrls: readonly string[];
  /** How often the holder died alone with a suspect. */
  readonly crashes: Readonly<Record<string, number>>;
  readonly currentUrl?: string;
  readonly endReason?: string;
  readonly error?: string;
};

export type Moved = Required<Pick<CrawlJob, 'baseUrl' | 'movedFrom'>>;

export const moved = ({ baseUrl, movedFrom }: Pick<CrawlJob, 'baseUrl' | 'movedFrom'>, to: string): Moved => ({
  baseUrl: to,
  movedFrom: movedFrom ?? originOf(baseUrl) ?? baseUrl,
});

/** Names a slice of a job: what the crawl queue's messages carry. */
export type CrawlSlice = Pick<CrawlJob, 'siteId' | 'jobId' | 'slice'>;

export const jobKey = (jobId: string): Key => ({ pk: `JOB#${jobId}`, sk: 'JOB' });
export const jobPointerKey = (siteId: string, jobId: string): Key => ({ pk: `SITE#${siteId}`, sk: `JOB#${jobId}` });
/** Listed here while it has not ended, for the watchdog. */
export const runningKey = (jobId: string): Key => ({ pk: 'RUNNING', sk: `JOB#${jobId}` });

export const UNENDED: readonly JobStatus[] = ['pending', 'running'];
/** A job that has lasted this long waits for no service any more. */
export const isOverdue = ({ createdAt }: CrawlJob, clock: Clock): boolean =>
  epochSeconds(clock) - createdAt > LONGEST_JOB_SECONDS;
export const hasEnded = ({ status }: Pick<CrawlJob, 'status'>): boolean => !UNENDED.includes(status);

export const readJob = (jobId: string, table: Table): Promise<CrawlJob | undefined> =>
  table.get<CrawlJob>(jobKey(jobId));

/** Another organisation's job, and one of a deleted site, is not found. */
export async function ownJob(jobId: string, orgId: string, table: Table): Promise<CrawlJob> {
  const job = await readJob(jobId, table);
  if (!job || job.orgId !== orgId) throw new NotFoundError('Job');
  return job;
}

/** A site's jobs, the newest first. */
export async function jobsOf(
  siteId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  table: Table,
): Promise<Listing<CrawlJob>> {
  const after = cursor === undefined ? {} : { after: `JOB#${cursor}` };
  const pointers = await table.query(`SITE#${siteId}`, { prefix: 'JOB#', descending: true, limit, ...after });
  const jobs = await table.getMany<CrawlJob>(pointers.items.map(({ sk }) => jobKey(sk.slice('JOB#'.length))));
  const items = jobs.filter((job) => job !== undefined);
  return { items, ...(pointers.next && { next: pointers.next.slice('JOB#'.length) }) };
}

/** What a client sees of a job. URLs still queued at its end count as skipped: `over_limit` or `cancelled`. */
export function jobView(job: CrawlJob) {
  const settled = job.indexed + job.unchanged + job.duplicate + job.skipped + job.gone + job.failed;
  const left = hasEnded(job) ? job.discovered - settled : 0;
  const errored = job.gone + job.failed;
  return {
    jobId: job.jobId,
    siteId: job.siteId,
    taskId: `${job.jobId}#${job.slice}`,
    status: job.status,
    pagesDiscovered: job.discovered,
    pagesCrawled: job.answered,
    pagesProcessed: job.indexed + job.unchanged,
    pagesSkipped: job.skipped + job.duplicate + left,
    pagesErrored: errored,
    errors: errored,
    createdAt: job.createdAt,
    ...(job.startedAt !== undefined && { startedAt: job.startedAt }),
    completedAt: job.completedAt ?? null,
    ...(job.currentUrl !== undefined && { currentUrl: job.currentUrl }),
    ...(job.endReason !== undefined && { endReason: job.endReason }),
    ...(job.error !== undefined && { error: job.error }),
  };
}
