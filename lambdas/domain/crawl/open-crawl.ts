import { sourcedFields } from '../../text/fields/field-source.ts';
import { everyItem } from '../every-item.ts';
import { type Mutex, mutex } from '../mutex.ts';
import type { PageDeps } from '../pages/page-writer.ts';
import { readSite } from '../sites/site.ts';
import { type CrawlWriter, crawlWriter, type WriterDeps } from './commit/crawl-writer.ts';
import { CrawlLimits } from './fetch/crawl-limits.ts';
import { jobRobots, spacingOf } from './fetch/job-robots.ts';
import { Refusals } from './fetch/refusals.ts';
import { queueSitemaps } from './fetch/sitemaps.ts';
import type { Visiting } from './fetch/visit.ts';
import { Frontier } from './frontier/frontier.ts';
import { urlFilter } from './frontier/url-filter.ts';
import type { Slice } from './jobs/slice.ts';
import { LISTED } from './jobs/url-rows.ts';

/** Everything that a slice needs for crawling. It is opened once and passed down. */
export type Crawl = Visiting &
  PageDeps & {
    readonly slice: Slice;
    readonly frontier: Frontier;
    readonly refusals: Refusals;
    readonly limits: CrawlLimits;
    readonly writer: CrawlWriter;
    /** Milliseconds between two fetches: the site's `Crawl-delay` or the owner's `delayMs`. */
    readonly spacingMs: number;
    /** Waits until no other slice of the process reads a poison URL. */
    readonly soloRead: Mutex;
  };

export type OpenDeps = Omit<Visiting, 'rules' | 'refusals'> &
  PageDeps &
  WriterDeps & {
    /** Shared by all slices of this process. @default a slice has its process to itself */
    readonly soloRead?: Mutex;
  };

/** Reads robots.txt, opens the frontier and enqueues the URL list or the pages of sitemaps. Idempotent. */
export async function openCrawl(slice: Slice, deps: OpenDeps): Promise<Crawl> {
  const { job, table } = slice;
  const { fetcher, pageReader, rendering, signal, pageStore, pageIndex, clock } = deps;
  const robots = job.config.respectRobotsTxt ? await jobRobots(slice, fetcher) : undefined;
  const filter = urlFilter(job);
  const spacingMs = spacingOf(job, robots);
  const frontier = await Frontier.open(slice, filter);
  await queueListed(slice, frontier);
  await queueSitemaps(slice, { fetcher, frontier, filter, robots, spacingMs });
  const site = await readSite(job.siteId, table);
  const fields = sourcedFields(site?.settings.metadataSchema ?? []);
  const isListed = job.listedBy && { isListed: (url: string) => frontier.knows(url) };
  const refusals = new Refusals(slice);
  return {
    slice,
    frontier,
    rules: { filter, robots, fields, selection: job.config, ...isListed },
    refusals,
    limits: new CrawlLimits(slice, frontier, refusals),
    spacingMs,
    fetcher,
    pageReader: { read: (page) => pageReader.read(page, job.orgId) },
    rendering,
    soloRead: deps.soloRead ?? mutex(),
    writer: crawlWriter(job, { ...deps, timeLeft: () => slice.embeddingMs }),
    table,
    pageStore,
    pageIndex,
    clock,
    signal,
  };
}

/** Enqueues the URL list of a job. An enqueued part is removed, so a later slice continues from there. */
async function queueListed(slice: Slice, frontier: Frontier): Promise<void> {
  const { jobId, listedBy } = slice.job;
  if (listedBy === undefined) return;
  for await (const { pk, sk, urls } of everyItem<{ urls: readonly string[] }>(slice.table, `JOB#${jobId}`, LISTED)) {
    await frontier.add(urls.map((url, position) => ({ url, depth: 0, position })));
    await slice.write([{ remove: { pk, sk } }]);
  }
}
