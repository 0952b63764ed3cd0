import { gunzipSync, gzipSync } from 'node:zlib';
import { decodeBody } from '../../../text/web/charset.ts';
import { retryAfterMs } from '../../../text/web/retry-after.ts';
import { parseRobots, type Robots } from '../../../text/web/robots.ts';
import { originOf } from '../../../text/web/url.ts';
import { ROBOTS_TOKEN } from '../../../text/web/user-agent.ts';
import type { FetchFailure, FetchResult, PageFetcher } from '../../ports/page-fetcher.ts';
import type { Key, TableReader } from '../../ports/table.ts';
import { type CrawlJob, MAX_RETRY_AFTER_MS } from '../jobs/job.ts';
import { JobFailure, unreachableMessage } from '../jobs/job-end.ts';
import { asksToWait, isRefusal } from '../jobs/refusal.ts';
import type { Slice } from '../jobs/slice.ts';
import { failureReason, redirectTarget } from './visit-result.ts';

/** RFC 9309, 2.5: at least 500 KiB must be parsed. The rest is ignored. */
const MAX_BYTES = 512 * 1024;
/** RFC 9309, 2.3.1.2: at least five must be followed. */
const REDIRECTS = 5;
const ATTEMPTS = 3;
const TIMEOUT_MS = 15_000;
/** Total of all waits, well within a slice. */
const MAX_WAIT_MS = 60_000;

/**
 * Returns the site's robots.txt. It is read once per job, and once more before pages are probed, and stored with the
 * job. Throws `JobFailure` if it cannot be read.
 */
export async function jobRobots(
  slice: Slice,
  fetcher: PageFetcher,
  name: 'ROBOTS' | 'PROBE-ROBOTS' = 'ROBOTS',
): Promise<Robots> {
  const key = robotsKey(slice.job, name);
  const stored = await slice.table.get<{ robots: string }>(key);
  const text = stored ? unpack(stored.robots) : await fetchRobots(slice.job.baseUrl, fetcher, slice);
  if (!stored) await slice.write([{ put: { ...key, robots: gzipSync(text).toString('base64') } }]);
  return parseRobots(text);
}

/** Returns the robots.txt that a job has stored; undefined if the job has read none. */
export async function storedRobots(job: RobotsOf, table: TableReader): Promise<Robots | undefined> {
  const stored = await table.get<{ robots: string }>(robotsKey(job, 'ROBOTS'));
  return stored && parseRobots(unpack(stored.robots));
}

type RobotsOf = Pick<CrawlJob, 'jobId' | 'baseUrl'>;
const robotsKey = ({ jobId, baseUrl }: RobotsOf, name: string): Key => ({
  pk: `JOB#${jobId}`,
  sk: `${name}#${originOf(baseUrl)}`,
});

const unpack = (robots: string): string => gunzipSync(Buffer.from(robots, 'base64')).toString();

async function fetchRobots(
  baseUrl: string,
  fetcher: PageFetcher,
  { sleep, clock }: Pick<Slice, 'sleep' | 'clock'>,
): Promise<string> {
  let waited = 0;
  for (let attempt = 1; ; attempt++) {
    const { url, result } = await followRedirects(`${originOf(baseUrl)}/robots.txt`, fetcher);
    const asked = askedWait(result, clock());
    if (asked > MAX_RETRY_AFTER_MS) throw closed(result, url, clock() + asked);
    const text = robotsText(result);
    if (text !== undefined) return text;
    const wait = Math.max(asked, 1000 * attempt);
    waited += wait;
    if (attempt === ATTEMPTS || waited > MAX_WAIT_MS || !isTransient(result)) throw unreadable(result, url);
    await sleep(wait);
  }
}

/** Reads a site's robots.txt once, without waits. Returns undefined if it cannot be read, which forbids everything. */
export async function robotsNow(
  baseUrl: string,
  { fetcher, signal }: { readonly fetcher: PageFetcher; readonly signal: AbortSignal },
): Promise<Robots | undefined> {
  const { result } = await followRedirects(`${originOf(baseUrl)}/robots.txt`, fetcher, signal);
  const text = robotsText(result);
  return text === undefined ? undefined : parseRobots(text);
}

/** Returns the milliseconds that the server asks to wait before the next request. */
const askedWait = (result: FetchResult, now: number): number =>
  result.kind === 'response' && isRefusal(result.status) ? (retryAfterMs(result.headers['retry-after'], now) ?? 0) : 0;

/**
 * Follows redirects. After too many the file counts as absent (RFC 9309, 2.3.1.2), and the last redirect is returned.
 */
async function followRedirects(first: string, fetcher: PageFetcher, signal?: AbortSignal) {
  for (let url = first, hop = 0; ; hop++) {
    const result = await fetcher.fetch({
      url,
      maxBytes: MAX_BYTES,
      truncate: true,
      timeoutMs: TIMEOUT_MS,
      ...(signal && { signal }),
      accept: 'text/plain,*/*;q=0.5',
    });
    const next = redirectTarget(result, url);
    if (next === undefined || hop === REDIRECTS) return { url, result };
    url = next;
  }
}

/**
 * Returns the text of the file: an absent one allows everything. Undefined for an unreachable one, which forbids
 * everything (RFC 9309, 2.3.1).
 */
function robotsText(result: FetchResult): string | undefined {
  if (result.kind === 'failure' || result.status >= 500) return undefined;
  return result.status < 300 ? decodeBody(result.body, 'text/plain; charset=utf-8') : '';
}

const TRANSIENT: ReadonlySet<FetchFailure> = new Set<FetchFailure>(['timeout', 'connection']);
const isTransient = (result: FetchResult): boolean => result.kind !== 'failure' || TRANSIENT.has(result.reason);

const SILENCES: Readonly<Partial<Record<FetchFailure, string>>> = {
  timeout: 'does not answer in time',
  connection: 'does not answer: the connection is refused or dropped',
};

function closed(result: FetchResult, url: string, retryAt: number): JobFailure {
  const status = result.kind === 'failure' ? 503 : result.status;
  const sentence = asksToWait(url, { status, retryAt });
  return new JobFailure('unavailable', sentence, { outcome: 'failed', reason: 'unavailable' });
}

/** Returns the failure of the job, with the outcome of the start page, which must not be fetched now. */
function unreadable(result: FetchResult, url: string): JobFailure {
  if (result.kind === 'failure') {
    const reason = failureReason(result.reason);
    const silence = SILENCES[result.reason];
    const todo = 'Check that the site is up, then start the crawl again.';
    const sentence = `${url} ${silence}, so nothing may be fetched. ${todo}`;
    return new JobFailure(reason, silence === undefined ? unreachableMessage(reason, url) : sentence, {
      outcome: 'failed',
      reason,
    });
  }
  return new JobFailure(
    'robots_unreachable',
    `${url} answers ${result.status}, so nothing may be fetched. Fix robots.txt and start the crawl again.`,
    { outcome: 'skipped', reason: 'robots' },
  );
}

const MAX_CRAWL_DELAY_SECONDS = 30;

/** Returns the milliseconds between two fetches: the longer of the owner's `delayMs` and the site's `Crawl-delay`. */
export function spacingOf({ config }: Pick<CrawlJob, 'config'>, robots: Robots | undefined): number {
  const crawlDelaySeconds = Math.min(robots?.crawlDelay(ROBOTS_TOKEN) ?? 0, MAX_CRAWL_DELAY_SECONDS);
  return Math.max(config.delayMs ?? 0, crawlDelaySeconds * 1000);
}
