import { gunzipSync, gzipSync } from 'node:zlib';
import type { FetchResult, PageFetcher } from '../../ports/page-fetcher.ts';
import type { Key, Table } from '../../ports/table.ts';
import { decodeBody } from '../../web/charset.ts';
import { parseRobots, type Robots } from '../../web/robots.ts';
import { normaliseUrl, originOf } from '../../web/url.ts';
import type { JobEnd } from '../finish/end-job.ts';
import { type CrawlJob, jobKey } from '../job/job.ts';
import { holdsLease, writeUnderLease } from '../job/slice.ts';

/** RFC 9309, 2.5: at least 500 KiB are read, the rest does not count. */
const MAX_BYTES = 512 * 1024;
/** RFC 9309, 2.3.1.2: at least five. */
const REDIRECTS = 5;
const ATTEMPTS = 3;
const TIMEOUT_MS = 15_000;

const robotsKey = ({ jobId, baseUrl }: CrawlJob): Key => ({ pk: `JOB#${jobId}`, sk: `ROBOTS#${originOf(baseUrl)}` });

type RobotsDeps = {
  readonly table: Table;
  readonly fetcher: PageFetcher;
  readonly sleep: (ms: number) => Promise<void>;
};

/** The rules that hold for a job: read once, kept with it. A site that does not answer for its robots.txt ends the job. */
export async function jobRobots(
  job: CrawlJob,
  deps: RobotsDeps,
): Promise<{ readonly robots: Robots } | { readonly end: JobEnd }> {
  const kept = await deps.table.get<{ robots: string }>(robotsKey(job));
  if (kept) return { robots: parseRobots(gunzipSync(Buffer.from(kept.robots, 'base64')).toString()) };
  for (let attempt = 1; ; attempt++) {
    const read = await fetchRobots(job.baseUrl, deps.fetcher);
    if (typeof read === 'string') {
      const rules = { ...robotsKey(job), robots: gzipSync(read).toString('base64') };
      await writeUnderLease([{ check: jobKey(job.jobId), when: holdsLease(job) }, { put: rules }], deps.table);
      return { robots: parseRobots(read) };
    }
    if (!read.mayPass || attempt === ATTEMPTS) return { end: read.end };
    await deps.sleep(1000 * attempt);
  }
}

type Unreadable = { readonly end: JobEnd; readonly mayPass: boolean };

async function fetchRobots(baseUrl: string, fetcher: PageFetcher): Promise<string | Unreadable> {
  const origin = originOf(baseUrl);
  let url = `${origin}/robots.txt`;
  for (let hop = 0; hop <= REDIRECTS; hop++) {
    const result = await fetcher.fetch({
      url,
      maxBytes: MAX_BYTES,
      truncate: true,
      timeoutMs: TIMEOUT_MS,
      accept: 'text/plain,*/*;q=0.5',
    });
    const next = redirectTarget(result, url);
    if (next === undefined) return rulesIn(result, url);
    url = next;
  }
  return ''; // RFC 9309, 2.3.1.2: too many redirects count as no file
}

function redirectTarget(result: FetchResult, url: string): string | undefined {
  if (result.kind !== 'response' || result.status < 300 || result.status > 399) return undefined;
  return result.headers.location === undefined ? undefined : normaliseUrl(result.headers.location, url);
}

/** RFC 9309, 2.3.1: a file that is not there allows everything, one that cannot be read forbids everything. */
function rulesIn(result: FetchResult, url: string): string | Unreadable {
  if (result.kind === 'failure') {
    return {
      mayPass: result.reason === 'timeout' || result.reason === 'connection',
      end: addressFailure(result.reason, url),
    };
  }
  if (result.status < 300) return decodeBody(result.body, 'text/plain; charset=utf-8');
  if (result.status < 500) return '';
  const error = `${url} answers ${result.status}, so what may be crawled is not known: mend the site, then crawl again.`;
  return { mayPass: true, end: { status: 'failed', endReason: 'robots_unreachable', error } };
}

const FAILURES: Readonly<Record<string, string>> = {
  dns: 'does not resolve: check the spelling of the base URL',
  private_address:
    'has a private address, which is never crawled (on a laptop, CRAWL_ALLOW_HOSTS names hosts that may be)',
  timeout: 'does not answer in time',
  connection: 'refuses or breaks off the connection',
  redirect_loop: 'redirects in a circle',
  too_large: 'answers more than can be read',
};

/** Why a site cannot be reached at all, in a sentence. */
export function addressFailure(reason: string, url: string): JobEnd {
  const host = URL.parse(url)?.host ?? url;
  return { status: 'failed', endReason: reason, error: `${host} ${FAILURES[reason] ?? `cannot be read (${reason})`}.` };
}
