import { requeueOrphans } from './commit/requeue-orphans.ts';
import { settleAliases } from './commit/settle-aliases.ts';
import { reportNearDuplicates } from './duplicates/near-duplicates.ts';
import { removeReplacedPages } from './duplicates/replaced-pages.ts';
import { type ResolvedDuplicates, resolveDuplicates } from './duplicates/resolve-duplicates.ts';
import { mayHaveGonePages } from './gone-pages/gone-pages.ts';
import { jobEnd } from './jobs/job-end.ts';
import type { Slice, SliceEnd } from './jobs/slice.ts';
import type { Crawl } from './open-crawl.ts';

/** A dry run keeps the first owner of each text. */
const NOTHING_JUDGED: ResolvedDuplicates = { duplicates: [], orphans: [], better: [] };

/** `refused`: the server answers everything with 429 or 503, or asks for too long a pause. */
export type FinalStop = 'done' | 'limit' | 'refused';

/**
 * Looks again at pages about which the crawl now knows more, and makes all written pages searchable. Returns false if
 * the crawl must continue: pages were requeued, by this or an unanswered write, or time ran out.
 */
export async function finishCrawl(stop: FinalStop, crawl: Crawl): Promise<boolean> {
  if (stop !== 'refused' && !(await settlePages(stop, crawl))) return false;
  if (!crawl.slice.job.dryRun) await crawl.pageIndex.refresh();
  return true;
}

async function settlePages(stop: 'done' | 'limit', crawl: Crawl): Promise<boolean> {
  const { slice, frontier, limits } = crawl;
  const { dryRun, listedBy } = slice.job;
  if (!dryRun) await removeReplacedPages(slice.job, crawl);
  const judged = dryRun ? NOTHING_JUDGED : await resolveDuplicates(slice, (hash) => frontier.isNamed(hash));
  if (stop === 'done') {
    await requeueOrphans(slice, frontier, judged);
    if (!(await frontier.isEmpty())) {
      await limits.recount();
      return false;
    }
  }
  if (dryRun) return true;
  await reportNearDuplicates(slice);
  return settleAliases(judged, { isComplete: stop === 'done' && listedBy === undefined }, crawl);
}

/**
 * Returns how a slice ends once its crawl has stopped: with the end of its job, or with the probes of missing pages.
 */
export async function endOfCrawl(stop: FinalStop, slice: Slice): Promise<SliceEnd> {
  const end = await jobEnd(slice.job, stop, slice.table);
  return (await mayHaveGonePages(slice, end)) ? { phase: 'probe' } : { end };
}
