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
    /** The fetcher may reach the job's own private host, if it has one. */
    readonly openFetcher: (job: Pick<CrawlJob, 'privateHost' | 'baseUrl'>) => PageFetcher;
    /** @default this worker has no browser */
    readonly openRenderer?: OpenRenderer;
  };

/** A slice that was claimed more often is dead, also where its queue does not count the deaths of workers. */
const MAX_CLAIMS = 30;

/** Works one slice: claim, then crawl, probe or sweep, then end the job or hand over. Outdated messages are dropped. */
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

/** Also says how the job ends if to go on is pointless. Throws other errors: the message is delivered again. */
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

/** What a slice does in each phase of its job. */
const PHASES = { crawl: crawlPages, probe: probeGonePages, sweep: sweepPages } as const;

async function crawlPages(slice: Slice, deps: OpenDeps): Promise<SliceEnd> {
  const crawl = await slice.attempt(() => openCrawl(slice, deps));
  const poisonUrls = await slice.keepAlive(() => tryPoisonUrl(crawl));
  if (poisonUrls) return { poisonUrls };
  const stop = await new CrawlLoop(crawl).run();
  return stop === 'time' ? {} : slice.attempt(() => endOfCrawl(stop, slice));
}
