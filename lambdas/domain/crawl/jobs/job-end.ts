import { defined } from '../../../text/defined.ts';
import { urlHash } from '../../../text/web/url.ts';
import { type Clock, epochSeconds } from '../../clock.ts';
import { DamagedStoreError, MisconfiguredError } from '../../errors.ts';
import type { Change, Condition, Table } from '../../ports/table.ts';
import { stateKey } from '../../sites/site.ts';
import { addEvent } from '../../webhooks/outbox.ts';
import { type CrawlJob, effectiveBase, isSweep, jobKey, readJob, runningKey } from './job.ts';
import { outcomeCounts } from './outcome-counts.ts';
import { asksToWait, refusesAll } from './refusal.ts';
import { endUnfinished } from './unfinished-pages.ts';
import { asQueued, type Ending, finishChanges, type JobUrl, jobUrlKey } from './url-rows.ts';

export type JobEnd =
  | { readonly status: 'completed'; readonly endReason: 'done' | 'limit'; readonly foundPages?: true }
  | { readonly status: 'cancelled'; readonly endReason: 'cancelled' }
  | FailedEnd;

/** `endReason` is a code for programs, `error` a sentence for people. */
type FailedEnd = {
  readonly status: 'failed';
  readonly endReason: string;
  readonly error: string;
  /** The outcome of the start page, or of its redirect target, if that is still queued. */
  readonly startPage?: StartPageEnd;
};
type StartPageEnd = Ending & { readonly url?: string };

/** Fails the job. Neither a repeat nor other URLs would help. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly end: FailedEnd;

  constructor(endReason: string, error: string, startPage: Ending) {
    super(error);
    this.end = failure(endReason, error, startPage);
  }
}

/**
 * Ends a job, frees its site and creates its event in one write. Returns false if the condition on the job did not
 * hold.
 */
export async function endJob(
  job: Pick<CrawlJob, 'jobId' | 'siteId' | 'generation' | 'baseUrl' | 'movedFrom' | 'consumes' | 'phase' | 'dryRun'>,
  end: JobEnd,
  when: Condition,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<boolean> {
  const now = epochSeconds(clock);
  const error = end.status === 'failed' ? { error: end.error } : {};
  const completed = {
    lastCrawledAt: now,
    ...effectiveBase(job),
    ...defined({ consumedList: job.consumes }),
  };
  const lastCrawl = {
    jobId: job.jobId,
    status: end.status,
    ...(end.status === 'failed' && { error: end.error, errorCode: end.endReason }),
    ...(end.status === 'completed' && end.foundPages && { foundPages: true }),
  };
  const write = (startPage?: StartPageChanges) =>
    table.write([
      {
        update: jobKey(job.jobId),
        set: { status: end.status, endReason: end.endReason, completedAt: now, inFlight: [], ...error },
        unset: ['currentUrl'],
        ...(startPage && { add: startPage.counts }),
        when,
      },
      { remove: runningKey(job.jobId) },
      isSweep(job)
        ? {
            update: stateKey(job.siteId),
            set: { runningSweepId: null },
            when: { equals: { runningSweepId: job.jobId } },
          }
        : {
            update: stateKey(job.siteId),
            set: {
              runningJobId: null,
              ...(!job.dryRun && { lastCrawl, ...(end.status === 'completed' && completed) }),
            },
            when: { equals: { runningJobId: job.jobId } },
          },
      ...(isSweep(job) ? [] : [endEvent(job, end.status, now)]),
      ...(startPage?.changes ?? []),
    ]);
  if (!isSweep(job) && !(await endUnfinished(job, when, table))) return false;
  const startPage = end.status === 'failed' ? await startPageChanges(job, end, table) : undefined;
  const refused = await write(startPage);
  const isOvertaken = startPage?.changes.some((change) => refused.includes(change)); // its outcome was written since
  return (isOvertaken ? await write() : refused).length === 0;
}

export const endEvent = (
  { siteId, jobId }: Pick<CrawlJob, 'siteId' | 'jobId'>,
  status: JobEnd['status'],
  occurredAt: number,
): Change => addEvent({ siteId, type: `crawl.${status}`, subjectId: jobId, occurredAt });

type StartPageChanges = { readonly counts: Readonly<Record<string, number>>; readonly changes: readonly Change[] };

/** Returns the changes that give the start page of a failed job its outcome, if it is still queued. */
async function startPageChanges(
  { jobId, baseUrl }: Pick<CrawlJob, 'jobId' | 'baseUrl'>,
  { startPage }: FailedEnd,
  table: Table,
): Promise<StartPageChanges | undefined> {
  if (!startPage) return undefined;
  const { url = baseUrl, ...ending } = startPage;
  const row = await table.get<JobUrl>(jobUrlKey(jobId, urlHash(url)));
  if (!row || row.outcome !== undefined) return undefined;
  return { counts: outcomeCounts([ending]), changes: finishChanges(jobId, asQueued(row), ending) };
}

/** Returns the changes that cancel a running job, without an event, in a write that also frees its site. */
export const cancelChanges = (jobId: string, now: number): readonly Change[] => [
  {
    update: jobKey(jobId),
    set: { status: 'cancelled', endReason: 'cancelled', completedAt: now, inFlight: [] },
    unset: ['currentUrl'],
  },
  { remove: runningKey(jobId) },
];

/**
 * Returns how a job ends whose loop has stopped. A site that answered no page fails, and the start page tells why. A
 * URL list completes even if all its pages are gone, but fails if none could be read.
 */
export async function jobEnd(job: CrawlJob, stop: 'done' | 'limit' | 'refused', table: Table): Promise<JobEnd> {
  const last = (await readJob(job.jobId, table)) ?? job;
  if (stop === 'refused') return refusedEnd(last);
  const { answered, gone, failed, indexed, unchanged, hasReachedQuota } = last;
  const endReason = hasReachedQuota ? 'limit' : stop;
  const isList = job.listedBy !== undefined;
  if (answered > 0 || (isList && (gone > 0 || failed === 0)))
    return { status: 'completed', endReason, ...(indexed + unchanged > 0 && { foundPages: true }) };
  if (isList) return failure('unavailable', noneReadable(job));
  return startPageFailure(job.baseUrl, await endOfRedirects(job, table));
}

/** Returns how the job ends if continuing after this error is pointless; undefined for other errors. */
export function failureOf(error: unknown): JobEnd | undefined {
  if (error instanceof JobFailure) return error.end;
  if (error instanceof DamagedStoreError) return failure(error.code, error.message);
  if (!(error instanceof MisconfiguredError)) return undefined;
  return failure(
    error.code,
    `Pages cannot be indexed: ${error.message}. ${STILL_SEARCHABLE} Fix the settings and start the crawl again.`,
  );
}

export const STILL_SEARCHABLE = 'Pages indexed before stay searchable.';

const failure = (endReason: string, error: string, startPage?: StartPageEnd): FailedEnd => ({
  status: 'failed',
  endReason,
  error,
  ...(startPage && { startPage }),
});

function refusedEnd({ baseUrl, refusals }: CrawlJob): FailedEnd {
  const { host } = new URL(baseUrl);
  const { status = 503, retryAt } = refusals?.refusal ?? {};
  const asked = refusals?.isStartClosed && retryAt !== undefined ? asksToWait(host, { status, retryAt }) : undefined;
  const sentence = `${asked ?? refusesAll(host, { status })} ${STILL_SEARCHABLE}`;
  return failure('unavailable', sentence, { outcome: 'failed', reason: 'unavailable', status });
}

const noneReadable = ({ jobId }: CrawlJob): string =>
  `None of the listed URLs could be read. GET /jobs/${jobId}/pages shows the reason for each.`;

function startPageFailure(baseUrl: string, last: JobUrl | undefined): JobEnd {
  const { url = baseUrl, outcome, reason = 'unavailable', status } = last ?? {};
  if (reason === 'robots')
    return failure(
      'robots',
      `robots.txt forbids ${url}. Allow it for sitesearchbot, or turn respectRobotsTxt off in the site's settings.`,
    );
  if (reason === 'out_of_scope')
    return failure('redirect', `${baseUrl} redirects to ${url}, which is another site. Set that as the base URL.`);
  if (reason === 'redirect' || reason === 'redirect_loop') return unreachable('redirect_loop', baseUrl);
  if (reason === 'unavailable' && status !== undefined)
    return failure(reason, refusesAll(URL.parse(url)?.host ?? url, { status }));
  if (outcome === 'gone' || status !== undefined)
    return failure('http_status', `${url} answers ${status}. The base URL must answer 200.`);
  return unreachable(reason, url);
}

const CAUSES: Readonly<Record<string, string>> = {
  dns: 'does not resolve. Check the spelling of the base URL',
  private_address:
    'has a private address, or one of this machine. Such a host is crawled only if CRAWL_ALLOW_HOSTS names it when the service starts',
  timeout: 'does not answer in time. Check that the site is up, then start the crawl again',
  connection: 'refuses or drops the connection. Check that the site is up, then start the crawl again',
  redirect_loop: 'redirects in a loop. Fix the redirects of the base URL',
  too_large: 'answers more than the crawler reads of a page (10 MB)',
};

const unreachable = (reason: string, url: string): FailedEnd =>
  failure(reason, unreachableMessage(reason, url), { outcome: 'failed', reason, url });

export function unreachableMessage(reason: string, url: string): string {
  const host = URL.parse(url)?.host ?? url;
  return `${host} ${CAUSES[reason] ?? `cannot be read (${reason})`}.`;
}

/** Returns the start page, or the last page of its redirects; in a redirect loop the page that closes it. */
async function endOfRedirects({ jobId, baseUrl }: CrawlJob, table: Table): Promise<JobUrl | undefined> {
  const seen = new Set<string>();
  let last: JobUrl | undefined;
  for (let url: string | undefined = baseUrl; url !== undefined && !seen.has(url); url = last?.target) {
    seen.add(url);
    last = (await table.get<JobUrl>(jobUrlKey(jobId, urlHash(url)))) ?? last;
  }
  return last;
}
