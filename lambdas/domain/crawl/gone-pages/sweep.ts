import { readSite } from '../../sites/site.ts';
import type { SliceEnd } from '../jobs/slice.ts';
import { LostLease, type Slice } from '../jobs/slice.ts';
import { type Review, reviewKey } from '../reviews/review.ts';
import { collectReviewed } from './collect-probes.ts';
import { ProbeLoop } from './probe-loop.ts';
import { type ProbeDeps, probeRules } from './probe-rules.ts';

/** Runs one slice of a sweep: probes the pages of an approved review and removes those that are still gone. */
export async function sweepPages(slice: Slice, deps: ProbeDeps): Promise<SliceEnd> {
  const { job, table } = slice;
  const { review, site } = await slice.attempt(async () => ({
    review: await table.get<Review>(reviewKey(job.siteId, job.jobId)),
    site: await readSite(job.siteId, table),
  }));
  if (!review || site?.state.generation !== job.generation) throw new LostLease();
  const rules = await slice.attempt(() => probeRules(slice, site.settings, deps.fetcher));
  const collected = await collectReviewed(slice, review);
  if (collected === 'time') return { phase: 'sweep' };
  if (collected === 'lost') return failed('urls_unavailable', 'The URLs of the review cannot be read.');
  const stop = await new ProbeLoop({ ...deps, slice, rules, marksUnlinked: false }).run();
  if (stop.kind === 'time') return { phase: 'sweep', ...stop };
  if (stop.kind === 'unreachable') return failed('unavailable', 'The site did not answer.');
  await slice.attempt(() => deps.pageIndex.refresh());
  return { end: { status: 'completed', endReason: 'done' } };
}

const failed = (endReason: string, error: string): SliceEnd => ({ end: { status: 'failed', endReason, error } });
