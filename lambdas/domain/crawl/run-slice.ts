import { steadyClock } from '../clock.ts';
import type { PageFetcher } from '../ports/page-fetcher.ts';
import { CrawlLoop } from './crawl-loop.ts';
import { type OpenRenderer, Rendering } from './fetch/rendering.ts';
import { endOfCrawl } from './finish-crawl.ts';
import { probeGonePages } from './gone-pages/gone-pages.ts';
import { sweepPages } from './gone-pages/sweep.ts';
import { endCrawl } from './jobs/end-crawl.ts';
import type { CrawlJob, CrawlSlice } from './jobs/job.ts';
import { failureOf } from './jobs/job-end.ts';
import { failDeadSlice } from './jobs/recover-jobs.ts';
import { holdsLease, LostLease, resendCurrentSlice, Slice, type SliceDeps, type SliceEnd } from './jobs/slice.ts';
import { type OpenDeps, openCrawl } from './open-crawl.ts';
import { tryPoisonUrl } from './poison-urls.ts';

export type CrawlDeps = SliceDeps &
  Omit<OpenDeps, 'fetcher' | 'rendering' | 'signal'> & {
    /** Opens a fetcher that may reach the job's own private host, if it has one. */
    readonly openFetcher: (job: Pick<CrawlJob, 'privateHost' | 'baseUrl'>) => PageFetcher;
    /** Opens a browser. @default this worker has no browser */
    readonly openRenderer?: OpenRenderer;
  };

/** A slice with more claims is dead, even where the queue does not count the deaths of workers. */
const MAX_CLAIMS = 30;

/**
 * Runs one slice: claims it, then crawls, probes or sweeps, then ends the job or hands over. Outdated messages are
 * dropped.
 */
export async function runSlice(message: CrawlSlice, given: CrawlDeps): Promise<void> {
  const deps = { ...given, clock: steadyClock(given.clock) };
  const slice = await Slice.claim(message, deps);
  if (!slice) return resendCurrentSlice(message, deps);
  if ((slice.job.claims ?? 0) > MAX_CLAIMS) return failDeadSlice(message, deps);
  const fetcher = deps.openFetcher(slice.job);
  const rendering = deps.openRenderer && Rendering.of(slice.job, deps.openRenderer);
  const over = new AbortController();
  try {
    const ended = await workPhase(slice, { ...deps, fetcher, rendering, signal: over.signal });
    if ('end' in ended) await endCrawl(slice.job, ended.end, holdsLease(slice.job), slice);
    else await slice.handOver(ended.poisonUrls, ended.phase && { phase: ended.phase });
  } catch (error) {
    if (!(error instanceof LostLease)) throw error;
  } finally {
    over.abort();
    await Promise.all([fetcher.close(), rendering?.close()]);
  }
}

/**
 * Runs the phase of the job. Also returns the end of a job for which continuing is pointless. Throws other errors, so
 * that the message is delivered again.
 */
async function workPhase(slice: Slice, deps: OpenDeps): Promise<SliceEnd> {
  const { rendering } = deps;
  try {
    await slice.attempt(async () => rendering?.load(slice.job, deps.table));
    const ended = await PHASES[slice.job.phase ?? 'crawl'](slice, deps);
    await slice.attempt(async () => rendering?.save(slice));
    return ended;
  } catch (error) {
    const end = failureOf(error);
    if (!end) throw error;
    return { end };
  }
}

/** The function that runs a slice in each phase of its job. */
const PHASES = { crawl: crawlPages, probe: probeGonePages, sweep: sweepPages } as const;

async function crawlPages(slice: Slice, deps: OpenDeps): Promise<SliceEnd> {
  const crawl = await slice.attempt(() => openCrawl(slice, deps));
  const poisonUrls = await slice.keepAlive(() => tryPoisonUrl(crawl));
  if (poisonUrls) return { poisonUrls };
  const stop = await new CrawlLoop(crawl).run();
  return stop === 'time' ? {} : slice.attempt(() => endOfCrawl(stop, slice));
}
