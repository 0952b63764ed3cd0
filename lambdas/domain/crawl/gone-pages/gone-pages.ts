import { readSite } from '../../sites/site.ts';
import { readJob } from '../jobs/job.ts';
import { type JobEnd, JobFailure, jobEnd } from '../jobs/job-end.ts';
import type { SliceEnd } from '../jobs/slice.ts';
import { LostLease, type Slice } from '../jobs/slice.ts';
import { outcomePrefix } from '../jobs/url-rows.ts';
import { pendingReviews, type RemovalReason } from '../reviews/review.ts';
import { removeGone } from './apply-removal.ts';
import { collectUnseen } from './collect-probes.ts';
import { holdRemoval, type Losses, mustHold, supersedeReviews } from './hold-removal.ts';
import { ProbeLoop } from './probe-loop.ts';
import { everyGone, firstGone } from './probe-rows.ts';
import { type ProbeDeps, probeRules } from './probe-rules.ts';

/*
 * The removal of gone pages after a crawl of the whole site (docs/crawl.md). Each page that the crawl did not find in
 * place is probed once more. Pages that are still gone are removed or held for a review.
 */

/** If a larger share of the URLs failed, the crawl tells nothing about pages that it has not seen. */
const MAX_FAILED = 0.1;
/** Maximum number of gone pages that a dry run names. */
const MAX_SHOWN = 50;

/** Returns whether a crawl that is about to end has seen all of its scope, and pages may be missing or held. */
export async function mayHaveGonePages({ job, table }: Slice, end: JobEnd): Promise<boolean> {
  if (end.endReason !== 'done' || job.listedBy === 'singleUrls') return false;
  const { answered, gone, failed, indexed, unchanged } = (await readJob(job.jobId, table)) ?? job;
  if (failed > MAX_FAILED * (answered + gone + failed)) return false;
  const site = await readSite(job.siteId, table);
  if (!site || site.settings.removalPolicy.mode === 'never') return false;
  if (job.dryRun) return true; // its pages are not in the index
  return site.state.pageCount > indexed + unchanged || (await pendingReviews(job.siteId, table)).length > 0;
}

/** Runs one slice of the phase `probe`. If the site cannot be probed, the job ends without a removal. */
export async function probeGonePages(slice: Slice, deps: ProbeDeps): Promise<SliceEnd> {
  const { job, table } = slice;
  const site = await slice.attempt(() => readSite(job.siteId, table));
  if (!site) throw new LostLease();
  const end = () => slice.attempt(() => jobEnd(job, 'done', table));
  try {
    const rules = await slice.attempt(() => probeRules(slice, site.settings, deps.fetcher));
    const crawledPages = await collectUnseen(slice, rules);
    if (crawledPages === undefined) return { phase: 'probe' };
    const marksUnlinked = await slice.attempt(() => knowsUnlinked(slice));
    const stop = await new ProbeLoop({ ...deps, slice, rules, marksUnlinked }).run();
    if (stop.kind === 'time') return { phase: 'probe', ...stop };
    if (stop.kind === 'unreachable') return { end: await end() };
    const { losses, count } = await slice.attempt(() => countGone(slice));
    if (job.dryRun) {
      await slice.attempt(() => noteGone(slice, count));
      return { end: await end() };
    }
    await slice.attempt(() => supersedeReviews(slice));
    if (mustHold(losses, crawledPages, site.settings.removalPolicy))
      await slice.attempt(() => holdRemoval(slice, count, crawledPages));
    else if (!(await removeGone(slice, deps))) return { phase: 'probe' };
    await slice.attempt(() => deps.pageIndex.refresh());
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error; // robots.txt cannot be read
  }
  return { end: await end() };
}

/**
 * Returns whether a page not found by the crawl has no links to it. A URL list or a depth limit leaves links unread,
 * and a dry run changes no page.
 */
async function knowsUnlinked({ job: { jobId, dryRun, listedBy }, table }: Slice): Promise<boolean> {
  if (dryRun || listedBy !== undefined) return false;
  const prefix = outcomePrefix('skipped', 'too_deep');
  return (await table.query(`JOB#${jobId}`, { prefix, limit: 1 })).items.length === 0;
}

/** Stores the number of gone pages and the first of them, for the result of a dry run. */
async function noteGone(slice: Slice, goneCount: number): Promise<void> {
  const gonePages = (await firstGone(MAX_SHOWN, slice)).map(({ url, reason }) => ({ url, reason }));
  await slice.write([], { set: { goneCount, gonePages } });
}

/** Counts the gone pages. A moved page is no loss, because the index has it under its new URL. */
async function countGone(slice: Slice): Promise<{ readonly losses: Losses; readonly count: number }> {
  const losses = new Map<RemovalReason, number>();
  let count = 0;
  for await (const { reason, isMoved } of everyGone(slice)) {
    count++;
    if (!isMoved) losses.set(reason, (losses.get(reason) ?? 0) + 1);
  }
  return { losses, count };
}
