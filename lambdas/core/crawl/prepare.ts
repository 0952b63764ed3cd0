import { sourcedFields } from '../content/fields/field-source.ts';
import { everyItem } from '../every-item.ts';
import type { RegisteredPage } from '../pages/page-registry.ts';
import type { PageFetcher } from '../ports/page-fetcher.ts';
import type { PageReader } from '../ports/page-reader.ts';
import { readSite } from '../sites/site.ts';
import { ROBOTS_TOKEN } from '../web/user-agent.ts';
import { type CommitDeps, Committer } from './commit/commit.ts';
import { jobRobots } from './fetch/job-robots.ts';
import { queueSitemaps } from './fetch/sitemaps.ts';
import { visit } from './fetch/visit.ts';
import type { Visit, VisitRules } from './fetch/visit-result.ts';
import { Frontier } from './frontier/frontier.ts';
import { LISTED, type QueuedUrl } from './frontier/frontier-rows.ts';
import { urlFilter } from './frontier/url-filter.ts';
import type { Slice } from './job/slice.ts';

const LONGEST_CRAWL_DELAY_SECONDS = 30;

export type PrepareDeps = CommitDeps & {
  readonly fetcher: PageFetcher;
  readonly pageReader: PageReader;
  /** Aborts the fetches under way when the slice ends. */
  readonly signal: AbortSignal;
};

export type PreparedCrawl = {
  readonly frontier: Frontier;
  readonly committer: Committer;
  /** Milliseconds between two fetches: the site's `Crawl-delay` or the owner's `delayMs`. */
  readonly spacingMs: number;
  readonly visit: (queued: QueuedUrl, stored: RegisteredPage | undefined, beforeReading?: () => void) => Promise<Visit>;
};

/** Reads robots.txt, opens the frontier and enqueues the URL list or the pages of sitemaps. Idempotent. */
export async function prepare(slice: Slice, deps: PrepareDeps): Promise<PreparedCrawl> {
  const { job, clock } = slice;
  const { fetcher, pageReader, signal } = deps;
  const robots = job.config.respectRobotsTxt ? await jobRobots(slice, fetcher) : undefined;
  const filter = urlFilter(job);
  const crawlDelaySeconds = Math.min(robots?.crawlDelay(ROBOTS_TOKEN) ?? 0, LONGEST_CRAWL_DELAY_SECONDS);
  const spacingMs = Math.max(job.config.delayMs ?? 0, crawlDelaySeconds * 1000);
  const frontier = await Frontier.open(slice, filter);
  await queueListed(slice, frontier);
  await queueSitemaps(slice, { fetcher, frontier, filter, robots, spacingMs });
  const site = await readSite(job.siteId, slice.table);
  const fields = sourcedFields(site?.settings.metadataSchema ?? []);
  const isListed = job.listedBy && { isListed: (url: string) => frontier.knows(url) };
  const rules: VisitRules = { filter, robots, fields, ...isListed };
  return {
    frontier,
    committer: new Committer(job, { frontier, rules }, deps),
    spacingMs,
    visit: (queued, stored, beforeReading) =>
      visit(queued, stored, rules, { fetcher, pageReader, clock, signal, beforeReading }),
  };
}

/** Enqueues the URL list of a job. A queued part is removed, so a later slice goes on from there. */
async function queueListed(slice: Slice, frontier: Frontier): Promise<void> {
  const { jobId, listedBy } = slice.job;
  if (listedBy === undefined) return;
  for await (const { pk, sk, urls } of everyItem<{ urls: readonly string[] }>(slice.table, `JOB#${jobId}`, LISTED)) {
    await frontier.add(urls.map((url, position) => ({ url, depth: 0, position })));
    await slice.write([{ remove: { pk, sk } }]);
  }
}
