import { type Clock, epochSeconds } from '../../clock.ts';
import { UnavailableError } from '../../errors.ts';
import { everyItem } from '../../every-item.ts';
import type { FetchResult, PageFetcher } from '../../ports/page-fetcher.ts';
import type { Item, Key, Table } from '../../ports/table.ts';
import type { Robots } from '../../web/robots.ts';
import { type SitemapEntry, SitemapReader } from '../../web/sitemap.ts';
import { normaliseUrl, originOf, urlHash } from '../../web/url.ts';
import { ROBOTS_TOKEN } from '../../web/user-agent.ts';
import { isRedirect, MOST_REDIRECTS } from '../fetch/redirect.ts';
import { nextTry } from '../fetch/retry-policy.ts';
import { type CrawlJob, jobKey, MOST_FETCHES_PER_PAGE } from '../job/job.ts';
import { holdsLease, writeUnderLease } from '../job/slice.ts';
import type { Frontier } from './frontier.ts';
import type { UrlFilter } from './url-filter.ts';

/** An index may name indexes that name sitemaps. */
const DEEPEST = 3;
const MOST_SITEMAPS = 1000;
/** A job that has lasted so long reads no more of them: its pages have waited long enough. */
const LONGEST_READING_SECONDS = 3600;
const NAMED_PER_WRITE = 99; // beside the check of the job, within the 100 of a write
/** The sizes that the protocol allows (sitemaps.org). */
const MAX_BYTES = 50 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** A sitemap that its reader died with so often is passed over. */
const MOST_ATTEMPTS = 3;
const LONGEST_WAIT_MS = 30_000;

type Sitemap = {
  readonly url: string;
  /** 1 for those that the site or its owner names. */
  readonly level: number;
  /** The links of its pages are followed. */
  readonly isRecursive: boolean;
};
type SitemapRow = Sitemap & { readonly attempts: number; readonly isRead?: boolean };

type SitemapDeps = {
  readonly table: Table;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly halt: AbortSignal;
  readonly fetcher: PageFetcher;
  readonly frontier: Frontier;
  readonly scope: UrlFilter;
  readonly robots: Robots | undefined;
  readonly spacingMs: number;
};

/** By the origin, for once the site has moved to another, other entries are of the site: its sitemaps are read anew. */
const prefixOf = ({ baseUrl }: Pick<CrawlJob, 'baseUrl'>): string => `SITEMAP#${originOf(baseUrl)}#`;
const sitemapKey = (job: CrawlJob, { url, level }: Pick<Sitemap, 'url' | 'level'>): Key => ({
  pk: `JOB#${job.jobId}`,
  sk: `${prefixOf(job)}${level}#${urlHash(url)}`,
});

/**
 * Queues the pages of a site's sitemaps that have not been read yet, each sitemap once, before links are followed. A job that was given
 * a list of URLs reads none. What cannot be read is passed over: the pages may be found by links. Stops at the deadline, and goes on in the
 * next slice.
 */
export async function queueSitemaps(job: CrawlJob, deadline: number, deps: SitemapDeps): Promise<void> {
  if (job.listedBy !== undefined) return;
  await name(namedSitemaps(job, deps), job, deps);
  for (let level = 1; level <= DEEPEST; level++) {
    for await (const row of everyItem<SitemapRow>(deps.table, `JOB#${job.jobId}`, `${prefixOf(job)}${level}#`)) {
      if (row.isRead) continue;
      const isLate = epochSeconds(deps.clock) - (job.startedAt ?? 0) > LONGEST_READING_SECONDS;
      if (isLate || deps.clock() >= deadline || !(await queueSitemap(row, job, deps))) return;
    }
  }
}

/** False if it was broken off, and is to be read again. */
async function queueSitemap(
  { url, level, isRecursive, attempts }: SitemapRow,
  job: CrawlJob,
  deps: SitemapDeps,
): Promise<boolean> {
  const sitemap = { url, level, isRecursive };
  if (attempts < MOST_ATTEMPTS) {
    await note(sitemap, { attempts: attempts + 1 }, job, deps);
    try {
      await queueEntries(sitemap, job, deps);
    } catch (error) {
      if (error instanceof UnavailableError) await note(sitemap, { attempts }, job, deps); // its reader did not die
      throw error;
    }
  }
  if (deps.halt.aborted) return false;
  await note(sitemap, { isRead: true }, job, deps);
  return true;
}

/** Those of the settings; else those that robots.txt names; else the usual one. */
function namedSitemaps({ config, baseUrl }: CrawlJob, { robots }: SitemapDeps): readonly Sitemap[] {
  if (config.sitemaps)
    return config.sitemaps
      .map(({ url, recursive }) => ({ url, level: 1, isRecursive: recursive }))
      .flatMap(absolute(baseUrl));
  const robotsUrl = `${originOf(baseUrl)}/robots.txt`;
  const named = robots?.sitemaps ?? [];
  const usual = `${originOf(baseUrl)}/sitemap.xml`;
  const isUsualAllowed = robots?.allows(usual, ROBOTS_TOKEN) ?? true;
  const urls = named.length > 0 ? named : isUsualAllowed ? [usual] : [];
  return urls.map((url) => ({ url, level: 1, isRecursive: true })).flatMap(absolute(robotsUrl));
}

const absolute =
  (base: string) =>
  (sitemap: Sitemap): readonly Sitemap[] => {
    const url = normaliseUrl(sitemap.url, base);
    return url === undefined ? [] : [{ ...sitemap, url }];
  };

/** Remembers sitemaps that are to be read, up to the most that a job reads. One that is known stays as it is. */
async function name(sitemaps: readonly Sitemap[], job: CrawlJob, { table }: SitemapDeps): Promise<void> {
  const known = new Set<string>();
  for await (const { sk } of everyItem(table, `JOB#${job.jobId}`, prefixOf(job))) known.add(sk);
  const rows = new Map(
    sitemaps.map((sitemap): [string, Item] => {
      const key = sitemapKey(job, sitemap);
      return [key.sk, { ...key, ...sitemap, attempts: 0 }];
    }),
  );
  const unknown = [...rows.values()].filter(({ sk }) => !known.has(sk)).slice(0, MOST_SITEMAPS - known.size);
  for (let from = 0; from < unknown.length; from += NAMED_PER_WRITE) {
    const puts = unknown.slice(from, from + NAMED_PER_WRITE).map((put) => ({ put }));
    await writeUnderLease([{ check: jobKey(job.jobId), when: holdsLease(job) }, ...puts], table);
  }
}

async function note(
  sitemap: Sitemap,
  set: Partial<Pick<SitemapRow, 'attempts' | 'isRead'>>,
  job: CrawlJob,
  { table }: SitemapDeps,
): Promise<void> {
  const update = sitemapKey(job, sitemap);
  await writeUnderLease(
    [
      { check: jobKey(job.jobId), when: holdsLease(job) },
      { update, set },
    ],
    table,
  );
}

async function queueEntries(sitemap: Sitemap, job: CrawlJob, deps: SitemapDeps): Promise<void> {
  const { frontier, scope } = deps;
  const room = job.config.maxPages * MOST_FETCHES_PER_PAGE - frontier.size; // more would never be asked for
  const pages: string[] = [];
  const children: Sitemap[] = [];
  await read(sitemap.url, deps, ({ kind, url }) => {
    const page = kind === 'page' ? scope.onSite(url) : undefined;
    if (page !== undefined && pages.length < room) pages.push(page);
    const level = sitemap.level + 1;
    if (kind === 'sitemap' && level <= DEEPEST && children.length < MOST_SITEMAPS)
      children.push({ ...sitemap, url, level });
  });
  await name(children, job, deps);
  const isLeaf = !sitemap.isRecursive;
  await frontier.add(
    pages.map((url, place) => ({ url, depth: 0, foundOn: sitemap.url, place, ...(isLeaf && { isLeaf }) })),
  );
}

/** Hands out the entries of a sitemap as far as it can be read, wherever redirects lead to it. */
async function read(first: string, deps: SitemapDeps, take: (entry: SitemapEntry) => void): Promise<void> {
  let url = first;
  let tries = 0;
  for (let hop = 0; hop <= MOST_REDIRECTS; ) {
    await deps.sleep(deps.spacingMs);
    const reader = new SitemapReader(url);
    const answer = await deps.fetcher.stream(
      { url, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal: deps.halt },
      (part) => {
        for (const entry of reader.write(part)) take(entry);
        return !reader.isDone;
      },
    );
    for (const entry of reader.end()) take(entry);
    const target = redirectTarget(answer, url);
    const again = target === undefined ? retryIn(answer, tries, deps.clock()) : undefined;
    if (target !== undefined) {
      url = target;
      hop++;
    } else if (again !== undefined) {
      await deps.sleep(again);
      tries++;
    } else return;
  }
}

function redirectTarget(answer: FetchResult, url: string): string | undefined {
  if (answer.kind === 'failure' || !isRedirect(answer.status)) return undefined;
  return answer.headers.location === undefined ? undefined : normaliseUrl(answer.headers.location, url);
}

function retryIn(answer: FetchResult, tries: number, now: number): number | undefined {
  const isFailure = answer.kind === 'failure';
  const fault = isFailure ? answer.reason : answer.status;
  const next = nextTry(fault, isFailure ? undefined : answer.headers['retry-after'], { tries }, now);
  const wait = next === undefined ? undefined : next.notBefore - now;
  return wait !== undefined && wait <= LONGEST_WAIT_MS ? wait : undefined;
}
