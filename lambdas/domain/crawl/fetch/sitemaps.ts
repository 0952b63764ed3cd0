import type { Robots } from '../../../text/web/robots.ts';
import { type SitemapEntry, SitemapReader } from '../../../text/web/sitemap.ts';
import { normaliseUrl, originOf, urlHash } from '../../../text/web/url.ts';
import { ROBOTS_TOKEN } from '../../../text/web/user-agent.ts';
import { UnavailableError } from '../../errors.ts';
import { everyItem } from '../../every-item.ts';
import type { FetchResult, PageFetcher } from '../../ports/page-fetcher.ts';
import type { Item, Key, TableReader } from '../../ports/table.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { UrlFilter } from '../frontier/url-filter.ts';
import { type CrawlJob, MAX_FETCHES_PER_PAGE } from '../jobs/job.ts';
import { isRefusal } from '../jobs/refusal.ts';
import type { Slice } from '../jobs/slice.ts';
import { nextTry } from './visit.ts';
import { MAX_REDIRECTS, redirectTarget } from './visit-result.ts';

/* A job reads sitemaps and enqueues their entries. `SitemapReader` (text/web/sitemap.ts) parses them. */

/** An index may name indexes that name sitemaps. */
const MAX_LEVEL = 3;
const MAX_SITEMAPS = 1000;
/** A job that has run for longer reads no more sitemaps, because its pages have waited long enough. */
const MAX_READING_MS = 3_600_000;
const ROWS_PER_WRITE = 99; // with the check of the job, within the 100 items of a write
/** The size that the protocol allows (sitemaps.org). */
const MAX_BYTES = 50 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** A sitemap is skipped if the worker died this often while reading it. */
const MAX_ATTEMPTS = 3;
/** Longest wait for one sitemap, and total wait while the server refuses several in a row. */
const MAX_WAIT_MS = 30_000;
/** Maximum number of requests that a slice makes to hosts that only the site names: they may be unrelated to it. */
const MAX_FOREIGN = 100;
/** Number of refusals (429 or 503) in a row after which no more sitemaps are read, because pages come first. */
const MAX_REFUSALS = 5;

type Sitemap = {
  readonly url: string;
  /** 1 for sitemaps that the site or its settings name. */
  readonly level: number;
  /** Whether the links of its pages are followed. */
  readonly isRecursive: boolean;
  /** Whether its host is neither the site's nor that of the index that names it. */
  readonly isForeign: boolean;
};
type SitemapRow = Sitemap & { readonly attempts: number; readonly isRead?: boolean };

type SitemapDeps = {
  readonly fetcher: PageFetcher;
  readonly frontier: Frontier;
  readonly filter: UrlFilter;
  readonly robots: Robots | undefined;
  readonly spacingMs: number;
};
/** Number of refusals in a row over all sitemaps, and the time waited because of them. */
type Patience = { refusals: number; waitedMs: number };
type PatientDeps = SitemapDeps & { readonly patience: Patience; readonly foreign: { left: number } };

/** Returns a prefix with the origin: once the site has moved, its sitemaps are read again. */
const prefixOf = ({ baseUrl }: Pick<CrawlJob, 'baseUrl'>): string => `SITEMAP#${originOf(baseUrl)}#`;
const sitemapKey = (job: CrawlJob, { url, level }: Pick<Sitemap, 'url' | 'level'>): Key => ({
  pk: `JOB#${job.jobId}`,
  sk: `${prefixOf(job)}${level}#${urlHash(url)}`,
});

/** Returns the URLs of all sitemaps that a job has found. */
export async function sitemapsOf(job: CrawlJob, table: TableReader): Promise<ReadonlySet<string>> {
  const urls = new Set<string>();
  for await (const { url } of everyItem<Sitemap>(table, `JOB#${job.jobId}`, 'SITEMAP#')) urls.add(url);
  return urls;
}

/** Returns whether a job has found this URL to be a sitemap of the site. */
export async function isSitemapOf(job: CrawlJob, url: string, table: TableReader): Promise<boolean> {
  const levels = Array.from({ length: MAX_LEVEL }, (_, index) => index + 1);
  const rows = await table.getMany(levels.map((level) => sitemapKey(job, { url, level })));
  return rows.some((row) => row !== undefined);
}

/**
 * Enqueues the pages of the site's sitemaps, each sitemap once, before links are followed. It skips unreadable
 * sitemaps. It stops at the deadline and continues in the next slice. A job with a URL list reads no sitemaps.
 */
export async function queueSitemaps(slice: Slice, sitemapDeps: SitemapDeps): Promise<void> {
  const deps = { ...sitemapDeps, patience: { refusals: 0, waitedMs: 0 }, foreign: { left: MAX_FOREIGN } };
  const { job, table, clock, deadline } = slice;
  if (job.listedBy !== undefined) return;
  await remember(namedSitemaps(job, deps.robots), slice);
  for (let level = 1; level <= MAX_LEVEL; level++) {
    for await (const row of everyItem<SitemapRow>(table, `JOB#${job.jobId}`, `${prefixOf(job)}${level}#`)) {
      if (row.isRead) continue;
      const isLate = slice.workedMs > MAX_READING_MS;
      if (isLate || clock() >= deadline || !(await queueSitemap(row, slice, deps))) return;
    }
  }
}

/** Reads one sitemap. Returns false if it was interrupted and must be read again. */
async function queueSitemap(row: SitemapRow, slice: Slice, deps: PatientDeps): Promise<boolean> {
  const { attempts } = row;
  const update = sitemapKey(slice.job, row);
  if (attempts < MAX_ATTEMPTS && deps.patience.refusals < MAX_REFUSALS) {
    await slice.write([{ update, set: { attempts: attempts + 1 } }]);
    try {
      await queueEntries(row, slice, deps);
    } catch (error) {
      // An outage is not a crash of the worker.
      if (error instanceof UnavailableError) await slice.write([{ update, set: { attempts } }]);
      throw error;
    }
  }
  if (slice.halt.aborted) return false;
  await slice.write([{ update, set: { isRead: true } }]);
  return true;
}

/** Returns the sitemaps in the settings, else those in robots.txt, else `/sitemap.xml`. */
function namedSitemaps({ config, baseUrl }: CrawlJob, robots: Robots | undefined): readonly Sitemap[] {
  if (config.sitemaps)
    return config.sitemaps
      .map(({ url, recursive }) => ({ url, level: 1, isRecursive: recursive, isForeign: false }))
      .flatMap(absolute(baseUrl));
  const robotsUrl = `${originOf(baseUrl)}/robots.txt`;
  const named = robots?.sitemaps ?? [];
  const usual = `${originOf(baseUrl)}/sitemap.xml`;
  const isUsualAllowed = robots?.allows(usual, ROBOTS_TOKEN) ?? true;
  const urls = named.length > 0 ? named : isUsualAllowed ? [usual] : [];
  return urls
    .map((url) => ({ url, level: 1, isRecursive: true, isForeign: false }))
    .flatMap(absolute(robotsUrl))
    .map((sitemap) => ({ ...sitemap, isForeign: !isNear(sitemap.url, baseUrl) }));
}

const absolute =
  (base: string) =>
  (sitemap: Sitemap): readonly Sitemap[] => {
    const url = normaliseUrl(sitemap.url, base);
    return url === undefined ? [] : [{ ...sitemap, url }];
  };

/** Returns whether two URLs have the same host, or one is on a subdomain of the other's. */
function isNear(url: string, other: string): boolean {
  const [one = '', two = ''] = [url, other].map((href) => URL.parse(href)?.hostname.replace(/^www\./, ''));
  return one === two || one.endsWith(`.${two}`) || two.endsWith(`.${one}`);
}

/** Stores sitemaps to read, up to `MAX_SITEMAPS` per job. A known one is unchanged. */
async function remember(sitemaps: readonly Sitemap[], slice: Slice): Promise<void> {
  const { job, table } = slice;
  const known = new Set<string>();
  for await (const { sk } of everyItem(table, `JOB#${job.jobId}`, prefixOf(job))) known.add(sk);
  const rows = new Map(
    sitemaps.map(({ url, level, isRecursive, isForeign }): [string, Item] => {
      const key = sitemapKey(job, { url, level });
      return [key.sk, { ...key, url, level, isRecursive, isForeign, attempts: 0 }];
    }),
  );
  const unknown = [...rows.values()].filter(({ sk }) => !known.has(sk)).slice(0, MAX_SITEMAPS - known.size);
  for (let from = 0; from < unknown.length; from += ROWS_PER_WRITE)
    await slice.write(unknown.slice(from, from + ROWS_PER_WRITE).map((put) => ({ put })));
}

async function queueEntries({ url: foundOn, ...sitemap }: Sitemap, slice: Slice, deps: PatientDeps): Promise<void> {
  const { frontier, filter } = deps;
  const { config, baseUrl } = slice.job;
  const room = config.maxPages * MAX_FETCHES_PER_PAGE - frontier.size; // more would never be fetched
  const level = sitemap.level + 1;
  const pages: string[] = [];
  const children: Sitemap[] = [];
  await readEntries({ url: foundOn, ...sitemap }, slice, deps, ({ kind, url }) => {
    const page = kind === 'page' ? filter.onSite(url) : undefined;
    if (page !== undefined && pages.length < room) pages.push(page);
    if (kind === 'sitemap' && level <= MAX_LEVEL && children.length < MAX_SITEMAPS)
      children.push({ ...sitemap, url, level, isForeign: !isNear(url, foundOn) && !isNear(url, baseUrl) });
  });
  await remember(children, slice);
  const leaf = sitemap.isRecursive ? {} : { isLeaf: true };
  await frontier.add(pages.map((url, position) => ({ url, depth: 0, foundOn, position, isNamed: true, ...leaf })));
}

/** Streams the readable entries of a sitemap, following redirects. */
async function readEntries(
  first: Sitemap,
  { job, sleep, clock, halt }: Slice,
  { fetcher, spacingMs, patience, foreign }: PatientDeps,
  take: (entry: SitemapEntry) => void,
): Promise<void> {
  let { url, isForeign } = first;
  let tries = 0;
  for (let hop = 0; hop <= MAX_REDIRECTS; ) {
    if (isForeign && foreign.left-- <= 0) return;
    await sleep(spacingMs);
    const reader = new SitemapReader(url);
    const answer = await fetcher.stream({ url, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal: halt }, (part) => {
      for (const entry of reader.write(part)) take(entry);
      return !reader.isDone;
    });
    for (const entry of reader.end()) take(entry);
    const target = redirectTarget(answer, url);
    const wait = target === undefined ? waitBefore(answer, { tries, patience, now: clock() }) : undefined;
    if (target !== undefined) {
      isForeign = !isNear(target, url) && !isNear(target, job.baseUrl);
      url = target;
      hop++;
    } else if (wait !== undefined) {
      await sleep(wait);
      tries++;
    } else return;
  }
}

/** Returns the milliseconds until the next try; undefined if waiting is not worthwhile. */
function waitBefore(
  answer: FetchResult,
  { tries, patience, now }: { readonly tries: number; readonly patience: Patience; readonly now: number },
): number | undefined {
  const isFailure = answer.kind === 'failure';
  const fault = isFailure ? answer.reason : answer.status;
  const next = nextTry(fault, isFailure ? undefined : answer.headers['retry-after'], { tries }, now);
  const wait = next === undefined ? undefined : next.notBefore - now;
  const isRefused = !isFailure && isRefusal(answer.status);
  if (!isRefused && !isFailure) Object.assign(patience, { refusals: 0, waitedMs: 0 });
  if (isRefused) patience.refusals++;
  if (wait === undefined || patience.refusals >= MAX_REFUSALS) return undefined;
  if (patience.waitedMs + wait > MAX_WAIT_MS) return undefined;
  patience.waitedMs += wait;
  return wait;
}
