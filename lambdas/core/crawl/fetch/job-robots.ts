import { gunzipSync, gzipSync } from 'node:zlib';
import type { FetchFailure, FetchResult, PageFetcher } from '../../ports/page-fetcher.ts';
import { decodeBody } from '../../web/charset.ts';
import { parseRobots, type Robots } from '../../web/robots.ts';
import { originOf } from '../../web/url.ts';
import { JobFailure, unreachableMessage } from '../job/job-end.ts';
import type { Slice } from '../job/slice.ts';
import { failureReason, redirectTarget } from './visit-result.ts';

/** RFC 9309, 2.5: at least 500 KiB are parsed, the rest is ignored. */
const MAX_BYTES = 512 * 1024;
/** RFC 9309, 2.3.1.2: at least five. */
const REDIRECTS = 5;
const ATTEMPTS = 3;
const TIMEOUT_MS = 15_000;

/** The site's robots.txt: read once a job and stored with it. Throws `JobFailure` if it cannot be read. */
export async function jobRobots(slice: Slice, fetcher: PageFetcher): Promise<Robots> {
  const { jobId, baseUrl } = slice.job;
  const key = { pk: `JOB#${jobId}`, sk: `ROBOTS#${originOf(baseUrl)}` };
  const stored = await slice.table.get<{ robots: string }>(key);
  const text = stored ? unpack(stored.robots) : await fetchRobots(baseUrl, fetcher, slice.sleep);
  if (!stored) await slice.write([{ put: { ...key, robots: gzipSync(text).toString('base64') } }]);
  return parseRobots(text);
}

const unpack = (robots: string): string => gunzipSync(Buffer.from(robots, 'base64')).toString();

async function fetchRobots(baseUrl: string, fetcher: PageFetcher, sleep: Slice['sleep']): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const { url, result } = await followRedirects(`${originOf(baseUrl)}/robots.txt`, fetcher);
    const text = robotsText(result);
    if (text !== undefined) return text;
    if (attempt === ATTEMPTS || !isTransient(result)) throw unreadable(result, url);
    await sleep(1000 * attempt);
  }
}

/** RFC 9309, 2.3.1.2: after too many redirects the file counts as absent; the result is then the last redirect. */
async function followRedirects(first: string, fetcher: PageFetcher) {
  for (let url = first, hop = 0; ; hop++) {
    const result = await fetcher.fetch({
      url,
      maxBytes: MAX_BYTES,
      truncate: true,
      timeoutMs: TIMEOUT_MS,
      accept: 'text/plain,*/*;q=0.5',
    });
    const next = redirectTarget(result, url);
    if (next === undefined || hop === REDIRECTS) return { url, result };
    url = next;
  }
}

/** RFC 9309, 2.3.1: an absent file allows everything. Undefined for an unreadable one, which forbids everything. */
function robotsText(result: FetchResult): string | undefined {
  if (result.kind === 'failure' || result.status >= 500) return undefined;
  return result.status < 300 ? decodeBody(result.body, 'text/plain; charset=utf-8') : '';
}

const TRANSIENT: ReadonlySet<FetchFailure> = new Set<FetchFailure>(['timeout', 'connection']);
const isTransient = (result: FetchResult): boolean => result.kind !== 'failure' || TRANSIENT.has(result.reason);

/** The start page, which may not be fetched now, gets its outcome from it. */
function unreadable(result: FetchResult, url: string): JobFailure {
  if (result.kind === 'failure') {
    const reason = failureReason(result.reason);
    return new JobFailure(reason, unreachableMessage(reason, url), { outcome: 'failed', reason });
  }
  return new JobFailure(
    'robots_unreachable',
    `${url} answers ${result.status}, so nothing may be fetched. Fix robots.txt and start the crawl again.`,
    { outcome: 'skipped', reason: 'robots' },
  );
}
