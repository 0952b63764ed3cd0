import { type Clock, epochSeconds } from '../clock.ts';
import { MisconfiguredError, UnavailableError } from '../errors.ts';
import type { RegisteredPage } from '../pages/page-registry.ts';
import type { PageFetcher } from '../ports/page-fetcher.ts';
import type { PageReader } from '../ports/page-reader.ts';
import type { Queue } from '../ports/queue.ts';
import { retryWhileUnavailable } from '../retry.ts';
import type { Robots } from '../web/robots.ts';
import { ROBOTS_TOKEN } from '../web/user-agent.ts';
import { type CommitDeps, Committer } from './commit/commit.ts';
import { finishDemotions } from './commit/duplicates.ts';
import { CrawlLoop, type Stop } from './crawl-loop.ts';
import { jobRobots } from './fetch/job-robots.ts';
import { visit } from './fetch/visit.ts';
import type { VisitRules } from './fetch/visit-result.ts';
import { endJob, type JobEnd } from './finish/end-job.ts';
import { jobEnd } from './finish/job-end.ts';
import { requeueOrphans } from './finish/orphaned-canonicals.ts';
import { tryAlone } from './finish/poison-urls.ts';
import { Frontier } from './frontier/frontier.ts';
import type { QueuedUrl } from './frontier/frontier-rows.ts';
import { queueSitemaps } from './frontier/sitemaps.ts';
import { urlFilter } from './frontier/url-filter.ts';
import { queueListed } from './frontier/url-list.ts';
import { type CrawlJob, type CrawlSlice, hasEnded, LONGEST_JOB_SECONDS, readJob, UNENDED } from './job/job.ts';
import { claimSlice, handOver, holdsLease, keepAlive, LostLease, resend, sendSlice } from './job/slice.ts';

export type SliceDeps = CommitDeps & {
  readonly queue: Queue;
  /** A fetcher that may reach the job's own private host, if it has one. */
  readonly openFetcher: (job: Pick<CrawlJob, 'privateHost'>) => PageFetcher;
  readonly pageReader: PageReader;
  readonly sleep: (ms: number) => Promise<void>;
  /** Asks the slice to hand over soon: the process is about to end. */
  readonly halt: AbortSignal;
};

/** So long a slice works before it hands over; below the time-out of its function and the visibility of its message. */
const SLICE_MS = 90_000;
export const CONNECTIONS_PER_HOST = 5;
const LONGEST_CRAWL_DELAY_SECONDS = 30;
const LONGEST_PAUSE_MS = 60_000;
/** Of the receives of a slice (messages.ts) at least so many came to a claim, if it was the slice's fault. */
const CLAIMS_OF_A_DEAD_SLICE = 3;

/**
 * Works a job's frontier for a while, then ends the job or sends the next slice. A message that is not the job's next slice, or
 * comes after the job's end, is dropped: its work is done.
 */
export async function runSlice(message: CrawlSlice, deps: SliceDeps): Promise<void> {
  const deadline = deps.clock() + SLICE_MS;
  const job = await retryWhileUnavailable(() => claimSlice(message, deps), deadline, deps);
  if (!job) return sendCurrentSlice(message, deps);
  const fetcher = deps.openFetcher(job);
  const stop = new AbortController();
  try {
    await work(job, deadline, fetcher, stop.signal, deps);
  } catch (error) {
    if (error instanceof MisconfiguredError) await endJob(job, refused(error), holdsLease(job), deps);
    else if (!(error instanceof LostLease)) throw error;
  } finally {
    stop.abort();
    await fetcher.close();
  }
}

/** Not the fault of the URLs that are in flight: nothing can be indexed until an operator has mended it. */
const refused = ({ code, message }: MisconfiguredError): JobEnd => ({
  status: 'failed',
  endReason: code,
  error: `Pages cannot be indexed: ${message}. What was indexed stays; mend the settings, then crawl again.`,
});

/** A holder may have died between its last write and its message: the next slice is sent again, once at most by its deduplication id. */
async function sendCurrentSlice({ jobId, slice }: CrawlSlice, { table, queue }: SliceDeps): Promise<void> {
  const job = await readJob(jobId, table);
  if (job && !hasEnded(job) && job.slice > slice) await sendSlice(job, queue);
}

async function work(
  job: CrawlJob,
  deadline: number,
  fetcher: PageFetcher,
  signal: AbortSignal,
  deps: SliceDeps,
): Promise<void> {
  const { table, clock, sleep, pageReader } = deps;
  const robots = await retryWhileUnavailable(
    () => keepAlive(job, () => robotsFor(job, fetcher, deps), deps),
    deadline,
    deps,
  );
  if (robots && 'end' in robots) {
    await endJob(job, robots.end, holdsLease(job), { table, clock });
    return;
  }
  const prepared = await retryWhileUnavailable(
    () => keepAlive(job, () => prepare(job, robots?.robots, deadline, fetcher, deps), deps),
    deadline,
    deps,
  );
  const { frontier, rules, committer } = prepared;
  const visitor = {
    visit: (queued: QueuedUrl, held: RegisteredPage | undefined, beforeReading?: () => void) =>
      visit(queued, held, rules, { fetcher, pageReader, clock, signal, beforeReading }),
  };
  const spacingMs = spacing(job, rules.robots);
  const [suspect, ...others] =
    job.answered < job.config.maxPages && !isOld(job, clock)
      ? await retryWhileUnavailable(() => stillSuspect(job.poisonUrls, frontier, clock), deadline, deps)
      : [];
  if (suspect !== undefined) {
    await keepAlive(job, () => sleep(pauseBefore(job, spacingMs, clock)), deps);
    const act = () => tryAlone(suspect, job, { ...deps, frontier, committer, ...visitor });
    const isTried = await keepAlive(job, act, deps);
    return handOver(job, isTried ? others : [suspect, ...others], deps);
  }
  const loop = new CrawlLoop(job, { ...deps, ...visitor, frontier, committer, spacingMs, lanes: CONNECTIONS_PER_HOST });
  const stopped = await crawl(job, loop, frontier, deadline, deps);
  if (stopped === 'time') return handOver(job, [], deps);
  await endJob(job, await jobEnd(job, stopped, table), holdsLease(job), { table, clock });
}

/** Works until there is an end, and everything that was indexed is visible then. A service that stays away is left to the next slice. */
async function crawl(
  job: CrawlJob,
  loop: CrawlLoop,
  frontier: Frontier,
  deadline: number,
  deps: SliceDeps,
): Promise<Stop> {
  try {
    let stopped = await loop.run(deadline);
    while (stopped === 'done') {
      const isDone = await retryWhileUnavailable(() => nothingIsLeft(job, frontier, deps), deadline, deps);
      if (isDone) break;
      stopped = await retryWhileUnavailable(() => loop.resume(deadline), deadline, deps);
    }
    if (stopped !== 'time')
      await retryWhileUnavailable(() => keepAlive(job, () => deps.pageIndex.refresh(), deps), deadline, deps);
    return stopped;
  } catch (error) {
    if (!(error instanceof UnavailableError) || isOld(job, deps.clock)) throw error;
    return 'time';
  }
}

/** Whoever works it has waited long enough. */
const isOld = ({ createdAt }: CrawlJob, clock: Clock): boolean => epochSeconds(clock) - createdAt > LONGEST_JOB_SECONDS;

/**
 * Whether nothing is left when the frontier is empty: pages that were left to others may have to speak for themselves. What a write whose
 * answer was lost has queued shows in the frontier alone.
 */
async function nothingIsLeft(job: CrawlJob, frontier: Frontier, deps: SliceDeps): Promise<boolean> {
  await finishDemotions(job, deps);
  await requeueOrphans(job, frontier, deps.table);
  return frontier.isEmpty();
}

/** Of what was in flight at a crash some may have come to its end before, or was put off, and its time has not come. */
async function stillSuspect(
  poisonUrls: readonly string[],
  frontier: Frontier,
  clock: Clock,
): Promise<readonly string[]> {
  const queued = await Promise.all(poisonUrls.map((hash) => frontier.find(hash)));
  const isDue = (url: QueuedUrl | undefined) => url !== undefined && (url.notBefore ?? 0) <= clock();
  return poisonUrls.filter((_, place) => isDue(queued[place]));
}

/** A suspect waits as any other URL does. */
const pauseBefore = ({ pausedUntil = 0 }: CrawlJob, spacingMs: number, clock: Clock): number =>
  Math.max(spacingMs, Math.min(pausedUntil - clock(), LONGEST_PAUSE_MS));

/** What a slice works with; the frontier is filled with what the job is given to begin with. */
async function prepare(
  job: CrawlJob,
  robots: Robots | undefined,
  deadline: number,
  fetcher: PageFetcher,
  deps: SliceDeps,
): Promise<{ readonly frontier: Frontier; readonly rules: VisitRules; readonly committer: Committer }> {
  const { table } = deps;
  const scope = urlFilter(job);
  const frontier = await Frontier.open(job, scope, table);
  await queueListed(job, frontier, table);
  await queueSitemaps(job, deadline, { ...deps, fetcher, frontier, scope, robots, spacingMs: spacing(job, robots) });
  const rules: VisitRules = {
    scope,
    robots,
    ...(job.listedBy && { isListed: (url) => frontier.knows(url) }),
  };
  const committer = new Committer(job, { frontier, rules }, deps);
  return { frontier, rules, committer };
}

const robotsFor = async (job: CrawlJob, fetcher: PageFetcher, deps: SliceDeps) =>
  job.config.respectRobotsTxt ? jobRobots(job, { ...deps, fetcher }) : undefined;

/** The site's own wish and the owner's: the longer pause counts. */
function spacing({ config }: CrawlJob, robots: Robots | undefined): number {
  const delay = Math.min(robots?.crawlDelay(ROBOTS_TOKEN) ?? 0, LONGEST_CRAWL_DELAY_SECONDS);
  return Math.max(config.delayMs ?? 0, delay * 1000);
}

/**
 * A slice that was received too often without an end: its job fails, so that the site is free. If it was the table that was away when the
 * slice came, the slice is sent once more.
 */
export async function failDeadSlice(
  { jobId, slice }: CrawlSlice,
  { table, queue, clock }: Pick<SliceDeps, 'table' | 'queue' | 'clock'>,
): Promise<void> {
  const job = await readJob(jobId, table);
  if (!job || hasEnded(job) || job.slice !== slice) return;
  if ((job.claims ?? 0) < CLAIMS_OF_A_DEAD_SLICE && !isOld(job, clock)) return resend(job, { table, queue, clock });
  const error = `The crawl broke off again and again, last near ${job.currentUrl ?? job.baseUrl}. What was indexed stays; crawl again.`;
  const unchanged = { equals: { fence: job.fence, status: UNENDED } };
  await endJob(job, { status: 'failed', endReason: 'internal_error', error }, unchanged, { table, clock });
}
