import type { PageFetcher } from '../ports/page-fetcher.ts';
import type { PageReader } from '../ports/page-reader.ts';
import type { CommitDeps } from './commit/commit.ts';
import { CrawlLoop } from './crawl-loop.ts';
import type { CrawlJob, CrawlSlice } from './job/job.ts';
import { endJob, failureOf, jobEnd } from './job/job-end.ts';
import { resendCurrentSlice } from './job/recovery.ts';
import { holdsLease, LostLease, Slice, type SliceDeps } from './job/slice.ts';
import { tryPoisonUrl } from './poison-urls.ts';
import { prepare } from './prepare.ts';

export type CrawlDeps = SliceDeps &
  CommitDeps & {
    /** The fetcher may reach the job's own private host, if it has one. */
    readonly openFetcher: (job: Pick<CrawlJob, 'privateHost'>) => PageFetcher;
    readonly pageReader: PageReader;
  };

/** Works one slice: claim, prepare, crawl, then end the job or hand over. Outdated messages are dropped. */
export async function runSlice(message: CrawlSlice, deps: CrawlDeps): Promise<void> {
  const slice = await Slice.claim(message, deps);
  if (!slice) return resendCurrentSlice(message, deps);
  const fetcher = deps.openFetcher(slice.job);
  const end = new AbortController();
  try {
    const crawl = await slice.attempt(() => prepare(slice, { ...deps, fetcher, signal: end.signal }));
    const poisonUrls = await slice.keepAlive(() => tryPoisonUrl(slice, crawl));
    const stop = poisonUrls ? 'time' : await new CrawlLoop(slice, crawl, deps).run();
    if (stop === 'time') await slice.handOver(poisonUrls);
    else await endJob(slice.job, await jobEnd(slice.job, stop, slice.table), holdsLease(slice.job), slice);
  } catch (error) {
    const failure = failureOf(error);
    if (failure) await endJob(slice.job, failure, holdsLease(slice.job), slice);
    else if (!(error instanceof LostLease)) throw error;
  } finally {
    end.abort();
    await fetcher.close();
  }
}
