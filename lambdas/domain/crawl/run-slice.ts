import { sourcedFields } from '../../text/fields/field-source.ts';
import { hasCome, steadyClock } from '../clock.ts';
import { UnavailableError } from '../errors.ts';
import { everyItem } from '../every-item.ts';
import type { PageFetcher } from '../ports/page-fetcher.ts';
import type { PageReader } from '../ports/page-reader.ts';
import { readSite } from '../sites/site.ts';
import { type Turns, turns } from '../turns.ts';
import { type CommitDeps, Committer } from './commit/commit.ts';
import { CrawlLoop, type PreparedCrawl } from './crawl-loop.ts';
import { jobRobots, spacingOf } from './fetch/job-robots.ts';
import { storedPages } from './fetch/read-page.ts';
import { Refusals } from './fetch/refusals.ts';
import { type OpenRenderer, Rendering } from './fetch/rendering.ts';
import { queueSitemaps } from './fetch/sitemaps.ts';
import { isAnswered, visit } from './fetch/visit.ts';
import type { Visit, VisitRules } from './fetch/visit-result.ts';
import { Frontier } from './frontier/frontier.ts';
import { urlFilter } from './frontier/url-filter.ts';
import { mayHaveGonePages, probeGonePages } from './gone-pages/gone-pages.ts';
import { sweepPages } from './gone-pages/sweep.ts';
import { endCrawl } from './jobs/end-crawl.ts';
import { type CrawlJob, type CrawlSlice, LONGEST_RETRY_AFTER_MS, urlMark } from './jobs/job.ts';
import { failureOf, jobEnd } from './jobs/job-end.ts';
import type { SliceEnd } from './jobs/slice.ts';
import { holdsLease, LostLease, resendCurrentSlice, Slice, type SliceDeps } from './jobs/slice.ts';
import { LISTED, type QueuedUrl } from './jobs/url-rows.ts';

/** The worker may die this often alone with a URL before the URL is given up. */
const MAX_CRASHES = 3;
/** Pause between tries of a URL while a service is unavailable. */
const BACK_OFF_MS = 30_000;
const LONGEST_PAUSE_MS = 60_000;

export type CrawlDeps = SliceDeps &
  CommitDeps & {
    /** The fetcher may reach the job's own private host, if it has one. */
    readonly openFetcher: (job: Pick<CrawlJob, 'privateHost' | 'baseUrl'>) => PageFetcher;
    readonly pageReader: PageReader;
    /** Turns of all slices of this process. @default a slice has its process to itself */
    readonly readAlone?: Turns;
    /** @default this worker has no browser */
    readonly openRenderer?: OpenRenderer;
  };

type PrepareDeps = Pick<CrawlDeps, 'readAlone'> &
  CommitDeps & {
    readonly fetcher: PageFetcher;
    readonly pageReader: PageReader;
    readonly rendering: Rendering | undefined;
    /** Aborts the fetches under way when the slice ends. */
    readonly signal: AbortSignal;
  };

/** Works one slice: claim, then crawl, probe or sweep, then end the job or hand over. Outdated messages are dropped. */
export async function runSlice(message: CrawlSlice, given: CrawlDeps): Promise<void> {
  const deps = { ...given, clock: steadyClock(given.clock) };
  const slice = await Slice.claim(message, deps);
  if (!slice) return resendCurrentSlice(message, deps);
  const fetcher = deps.openFetcher(slice.job);
  const rendering = deps.openRenderer && Rendering.of(slice.job, deps.openRenderer);
  const end = new AbortController();
  try {
    await slice.attempt(async () => rendering?.load(slice.job, deps.table));
    const ended = await workPhase(slice, { ...deps, fetcher, rendering, signal: end.signal });
    await slice.attempt(async () => rendering?.save(slice));
    if ('end' in ended) await endCrawl(slice.job, ended.end, holdsLease(slice.job), slice);
    else await slice.handOver(ended.poisonUrls, ended.phase && { phase: ended.phase });
  } catch (error) {
    const failure = failureOf(error);
    if (failure) await endCrawl(slice.job, failure, holdsLease(slice.job), slice);
    else if (!(error instanceof LostLease)) throw error;
  } finally {
    end.abort();
    await Promise.all([fetcher.close(), rendering?.close()]);
  }
}

function workPhase(slice: Slice, deps: PrepareDeps): Promise<SliceEnd> {
  if (slice.job.phase === 'probe') return probeGonePages(slice, deps);
  return slice.job.phase === 'sweep' ? sweepPages(slice, deps) : crawlPages(slice, deps);
}

async function crawlPages(slice: Slice, deps: PrepareDeps): Promise<SliceEnd> {
  const crawl = await slice.attempt(() => prepare(slice, deps));
  const poisonUrls = await slice.keepAlive(() => tryPoisonUrl(slice, crawl));
  const stop = poisonUrls ? 'time' : await new CrawlLoop(slice, crawl, deps).run();
  if (stop === 'time') return poisonUrls ? { poisonUrls } : {};
  return slice.attempt(async () => {
    const end = await jobEnd(slice.job, stop, slice.table);
    return (await mayHaveGonePages(slice, end)) ? { phase: 'probe' } : { end };
  });
}

/** Reads robots.txt, opens the frontier and enqueues the URL list or the pages of sitemaps. Idempotent. */
async function prepare(slice: Slice, deps: PrepareDeps): Promise<PreparedCrawl> {
  const { job, clock } = slice;
  const { fetcher, pageReader, rendering, signal } = deps;
  const robots = job.config.respectRobotsTxt ? await jobRobots(slice, fetcher) : undefined;
  const filter = urlFilter(job);
  const spacingMs = spacingOf(job, robots);
  const frontier = await Frontier.open(slice, filter);
  await queueListed(slice, frontier);
  await queueSitemaps(slice, { fetcher, frontier, filter, robots, spacingMs });
  const site = await readSite(job.siteId, slice.table);
  const fields = sourcedFields(site?.settings.metadataSchema ?? []);
  const isListed = job.listedBy && { isListed: (url: string) => frontier.knows(url) };
  const rules: VisitRules = { filter, robots, fields, selection: job.config, ...isListed };
  const refusals = new Refusals(slice);
  return {
    frontier,
    committer: new Committer(job, { frontier, rules, refusals }, deps),
    spacingMs,
    refusals,
    visit: async (queued, stored, beforeReading) => {
      const { isPartial: isPartlyRefused } = refusals;
      const visited = await visit(queued, stored, rules, {
        ...{ fetcher, pageReader, rendering, clock, signal },
        ...{ isPartlyRefused, beforeReading },
      });
      refusals.note(visited);
      return visited;
    },
    keepsConnections: rendering !== undefined,
    readAlone: deps.readAlone ?? turns(),
    isAnswered: (url) => isAnswered(url, { fetcher, signal }),
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

/**
 * Tries one URL that was in flight at a crash, with no other beside it: if the worker dies again, this URL caused it.
 * Returns the poison URLs that are left for the next slices, or undefined if none is due.
 */
async function tryPoisonUrl(slice: Slice, crawl: PreparedCrawl): Promise<readonly string[] | undefined> {
  const { job, sleep } = slice;
  if (job.poisonUrls.length === 0 || job.answered >= job.config.maxPages || slice.isOverdue) return undefined;
  try {
    const [first, ...others] = await dueUrls(slice, crawl);
    if (!first) return undefined;
    await sleep(pauseBefore(slice, crawl.spacingMs));
    await slice.renew(); // throws if the lease was lost during the pause
    await crawl.committer.commit([await visitAlone(first, slice, crawl)]);
    return others.map(({ urlHash }) => urlHash);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    await sleep(BACK_OFF_MS); // the service is to blame, not the URL
    return job.poisonUrls;
  }
}

/** Some have their outcome from before the crash, and postponed ones are not due. */
async function dueUrls({ job, clock }: Slice, { frontier }: PreparedCrawl): Promise<readonly QueuedUrl[]> {
  const found = await Promise.all(job.poisonUrls.map((mark) => frontier.find(mark)));
  return found
    .filter((url) => url !== undefined)
    .filter(({ notBefore = 0 }) => hasCome(notBefore, clock(), LONGEST_RETRY_AFTER_MS));
}

/** The site's delay, or the rest of its last Retry-After, of which one slice waits for 60 seconds at most. */
const pauseBefore = ({ pauseMs }: Slice, spacingMs: number): number =>
  Math.max(spacingMs, Math.min(pauseMs, LONGEST_PAUSE_MS));

/**
 * Only while the page is read, it counts as in flight: waiting for a server kills no worker. Of all slices of this
 * process one reads such a page at a time, so that the death is not blamed on the page of another.
 */
async function visitAlone(queued: QueuedUrl, slice: Slice, crawl: PreparedCrawl): Promise<Visit> {
  const { job, table } = slice;
  if ((job.crashes[urlMark(queued.urlHash)] ?? 0) >= MAX_CRASHES)
    return { queued, fetched: false, answered: false, found: [], ending: { outcome: 'failed', reason: 'gave_up' } };
  const stored = await storedPages([queued], job, table);
  let endTurn: (() => void) | undefined;
  try {
    return await crawl.visit(queued, stored.get(queued.urlHash), async () => {
      endTurn = await crawl.readAlone();
      await slice.renew({ inFlight: [queued.urlHash] });
    });
  } finally {
    if (endTurn) await slice.renew({ inFlight: [] }).finally(endTurn); // it has been read: it is well
  }
}
