import type { PageFetcher, Queue } from '../../adapters/ports.ts';
import { type SiteState, stateKey } from '../sites/site.ts';
import { ROBOTS_TOKEN } from '../web/user-agent.ts';
import { type CommitDeps, Committer } from './commit.ts';
import { CrawlLoop } from './crawl-loop.ts';
import { crawlScope } from './crawl-scope.ts';
import { endJob } from './end-job.ts';
import { Frontier } from './frontier.ts';
import { type CrawlJob, type CrawlSlice, hasEnded, readJob, UNENDED } from './job.ts';
import { jobEnd } from './job-end.ts';
import { jobRobots } from './job-robots.ts';
import { claimSlice, handOver, holding, LostLease, sendSlice } from './lease.ts';
import { queueListed } from './listed-urls.ts';
import { reopenLostCanonicals } from './lost-canonicals.ts';
import { tryAlone } from './suspects.ts';
import { type VisitRules, visit } from './visit.ts';

export type SliceDeps = CommitDeps & {
  readonly queue: Queue;
  /** A fetcher that may reach the job's own private host, if it has one. */
  readonly openFetcher: (job: Pick<CrawlJob, 'privateHost'>) => PageFetcher;
  readonly sleep: (ms: number) => Promise<void>;
  /** Asks the slice to hand over soon: the process is about to end. */
  readonly halt: AbortSignal;
};

/** So long a slice works before it hands over; below the time-out of its function and the visibility of its message. */
const SLICE_MS = 90_000;
export const CONNECTIONS_PER_HOST = 5;
const LONGEST_CRAWL_DELAY_SECONDS = 30;

/**
 * Works a job's frontier for a while, then ends the job or sends the next slice. A message that is not the job's next slice, or
 * comes after the job's end, is dropped: its work is done.
 */
export async function runSlice(message: CrawlSlice, deps: SliceDeps): Promise<void> {
  const job = await claimSlice(message, deps);
  if (!job) return sendCurrentSlice(message, deps);
  const fetcher = deps.openFetcher(job);
  const stop = new AbortController();
  try {
    await work(job, fetcher, stop.signal, deps);
  } catch (error) {
    if (!(error instanceof LostLease)) throw error;
  } finally {
    stop.abort();
    await fetcher.close();
  }
}

/** A holder may have died between its last write and its message: the next slice is sent again, once at most by its deduplication id. */
async function sendCurrentSlice({ jobId, slice }: CrawlSlice, { table, queue }: SliceDeps): Promise<void> {
  const job = await readJob(jobId, table);
  if (job && !hasEnded(job) && job.slice > slice) await sendSlice(job, queue);
}

async function work(job: CrawlJob, fetcher: PageFetcher, signal: AbortSignal, deps: SliceDeps): Promise<void> {
  const { table, clock } = deps;
  const deadline = clock() + SLICE_MS;
  const robots = await robotsFor(job, fetcher, deps);
  if (robots && 'end' in robots) {
    await endJob(job, robots.end, holding(job), { table, clock });
    return;
  }
  const scope = crawlScope(job);
  const frontier = await Frontier.open(job, scope, table);
  await queueListed(job, frontier, table);
  const rules: VisitRules = {
    scope,
    robots: robots?.robots,
    ...(job.listedBy && { isListed: (url) => frontier.knows(url) }),
  };
  const state = await table.get<SiteState>(stateKey(job.siteId));
  const committer = new Committer(job, frontier, state?.languages ?? [], deps);
  const visitor = { visit: (queued: Parameters<typeof visit>[0]) => visit(queued, rules, fetcher, signal) };
  const [suspect, ...others] = job.answered < job.config.maxPages ? job.suspects : [];
  if (suspect !== undefined) {
    const isTried = await tryAlone(suspect, job, { ...deps, frontier, committer, ...visitor });
    return handOver(job, isTried ? others : job.suspects, deps);
  }
  const loop = new CrawlLoop(job, {
    ...deps,
    frontier,
    committer,
    ...visitor,
    spacingMs: spacing(job, rules),
    lanes: CONNECTIONS_PER_HOST,
  });
  let stopped = await loop.run(deadline);
  while (stopped === 'done') {
    const reopened = await reopenLostCanonicals(job, frontier, table);
    if (reopened === 0) break;
    loop.reopened(reopened);
    stopped = await loop.run(deadline);
  }
  if (stopped === 'time') return handOver(job, [], deps);
  await endJob(job, await jobEnd(job, stopped, table), holding(job), { table, clock });
}

const robotsFor = async (job: CrawlJob, fetcher: PageFetcher, deps: SliceDeps) =>
  job.config.respectRobotsTxt ? jobRobots(job, { ...deps, fetcher }) : undefined;

/** The site's own wish and the owner's: the longer pause counts. */
function spacing({ config }: CrawlJob, { robots }: VisitRules): number {
  const delay = Math.min(robots?.crawlDelay(ROBOTS_TOKEN) ?? 0, LONGEST_CRAWL_DELAY_SECONDS);
  return Math.max(config.delayMs ?? 0, delay * 1000);
}

/** A slice that was received too often without an end: its job fails, so that the site is free. */
export async function failDeadSlice(
  { jobId, slice }: CrawlSlice,
  { table, clock }: Pick<SliceDeps, 'table' | 'clock'>,
): Promise<void> {
  const job = await readJob(jobId, table);
  if (!job || hasEnded(job) || job.slice !== slice) return;
  const error = `The crawl broke off again and again, last near ${job.currentUrl ?? job.baseUrl}. What was indexed stays; crawl again.`;
  const unchanged = { equals: { fence: job.fence, status: UNENDED } };
  await endJob(job, { status: 'failed', endReason: 'internal_error', error }, unchanged, { table, clock });
}
