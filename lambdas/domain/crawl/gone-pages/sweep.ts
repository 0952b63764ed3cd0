import { type RegisteredPage, readRows } from '../../pages/page-registry.ts';
import type { PageDeps } from '../../pages/page-writer.ts';
import { readSite } from '../../sites/site.ts';
import type { SliceEnd } from '../jobs/slice.ts';
import { LostLease, type Slice } from '../jobs/slice.ts';
import { type Review, reviewKey } from '../reviews/review.ts';
import { removeUnderLease } from './apply-removal.ts';
import { collectReviewed } from './collect-probes.ts';
import { type Judge, type ProbeDeps, ProbeLoop } from './probe-loop.ts';
import { type Probe, readProbe } from './probe-rows.ts';
import { type ProbeRules, probeRules } from './probe-rules.ts';
import { keptRow, knownVerdicts, settleVerdicts, type Verdict, verdictOf } from './verdict.ts';

/** A page that others write at the same time is probed again, so often and after so long. */
const MAX_TRIES = 5;
const PAUSE_MS = 2000;

type SweepDeps = PageDeps & ProbeDeps;

/** One slice of a sweep: probes the pages of an approved review and removes those that are still gone. */
export async function sweepPages(slice: Slice, deps: SweepDeps): Promise<SliceEnd> {
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
  const stop = await new ProbeLoop(slice, rules, sweepJudge(slice, rules, deps), deps).run();
  if (stop.kind === 'time') return { phase: 'sweep', ...stop };
  if (stop.kind === 'unreachable') return failed('unavailable', 'The site did not answer.');
  await slice.attempt(() => deps.pageIndex.refresh());
  return { end: { status: 'completed', endReason: 'done' } };
}

const failed = (endReason: string, error: string): SliceEnd => ({ end: { status: 'failed', endReason, error } });

function sweepJudge(slice: Slice, rules: ProbeRules, deps: SweepDeps): Judge {
  const { job, table } = slice;
  let rows: ReadonlyMap<string, RegisteredPage> = new Map();
  // A page of the same review may be gone itself.
  const isPage = async (target: string) => {
    const row = await keptRow(target, job, table);
    return row !== undefined && (await readProbe(row.urlHash, slice)) === undefined;
  };
  return {
    known: async (probes) => {
      rows = await readRows(job, probes, table); // before the fetch: a page that is written after it stays
      return knownVerdicts(probes, rows, rules);
    },
    ofVisit: async (visit, probe) =>
      confirmed(await verdictOf(visit, { job, table, rules: rules.visit, isPage }), probe),
    settle: async (verdicts, pausedUntil) => {
      const settled = await removeConfirmed(verdicts, rows, slice, deps);
      const count = (kinds: readonly Verdict['kind'][], of: readonly Verdict[]): number =>
        of.filter(({ kind }) => kinds.includes(kind)).length;
      await settleVerdicts(settled, slice, {
        ofJob: (of) => ({ add: { removed: count(['gone', 'missing'], of), kept: count(['alive', 'unknown'], of) } }),
        pausedUntil,
      });
    },
  };
}

/** Whether another page still stands for this one was found out by the crawl: a page that has content now is back. */
function confirmed(verdict: Verdict, { listedFor }: Probe): Verdict {
  const isReplaced = verdict.kind === 'gone' && (verdict.reason === 'duplicate' || verdict.reason === 'canonical');
  return isReplaced && verdict.reason !== listedFor ? { kind: 'alive' } : verdict;
}

/** Removes the pages that are gone; of those that others have written meanwhile, the verdict is to probe again. */
async function removeConfirmed(
  verdicts: ReadonlyMap<Probe, Verdict>,
  rows: ReadonlyMap<string, RegisteredPage>,
  slice: Slice,
  deps: SweepDeps,
): Promise<ReadonlyMap<Probe, Verdict>> {
  const gone = [...verdicts].flatMap(([probe, { kind }]) => (kind === 'gone' ? (rows.get(probe.urlHash) ?? []) : []));
  const removed = await removeUnderLease(gone, slice, deps);
  const overtaken = new Set(gone.filter((row) => removed.get(row) === 'overtaken').map(({ urlHash }) => urlHash));
  return new Map(
    [...verdicts].map(([probe, verdict]) => [probe, overtaken.has(probe.urlHash) ? again(probe, slice) : verdict]),
  );
}

function again({ tries = 0 }: Probe, { clock }: Slice): Verdict {
  if (tries >= MAX_TRIES) return { kind: 'unknown' };
  return { kind: 'later', next: { tries: tries + 1, notBefore: clock() + PAUSE_MS } };
}
