import { pageKey, type RegisteredPage, readRows } from '../../pages/page-registry.ts';
import { leadsToPage } from '../commit/requeue-orphans.ts';
import type { Slice } from '../jobs/slice.ts';
import { outcomePrefix } from '../jobs/url-rows.ts';
import type { Judge } from './probe-loop.ts';
import { addGone, type Probe } from './probe-rows.ts';
import type { ProbeRules } from './probe-rules.ts';
import { keptRow, knownVerdicts, settleVerdicts, verdictOf } from './verdict.ts';

/** Judges the pages that a complete crawl has not found in place: those that are gone are listed. */
export async function crawlJudge(slice: Slice, rules: ProbeRules): Promise<Judge> {
  const { job, table } = slice;
  const isWhole = !job.dryRun && job.listedBy === undefined && !(await wasCutByDepth(slice));
  let rows: ReadonlyMap<string, RegisteredPage> = new Map();
  // A page that this crawl has not seen may be gone itself.
  const isPage = async (target: string) =>
    (await leadsToPage({ target }, slice)) || (await keptRow(target, job, table))?.source === 'ingest';
  return {
    known: async (probes) => {
      rows = await readRows(job, probes, table);
      return knownVerdicts(probes, rows, rules);
    },
    ofVisit: (visit) => verdictOf(visit, { job, table, rules: rules.visit, isPage }),
    settle: async (verdicts, pausedUntil) => {
      for (const [probe, { kind }] of verdicts)
        if (kind === 'alive' && isWhole) await markUnlinked(probe, rows.get(probe.urlHash), slice);
      await settleVerdicts(verdicts, slice, {
        also: (probe, verdict) => (verdict.kind === 'gone' ? [addGone(probe, verdict.reason, slice)] : []),
        ofJob: () => ({}),
        pausedUntil,
      });
    },
  };
}

/** A page that was not met may then be linked from a page that was not fetched. */
async function wasCutByDepth({ job, table }: Slice): Promise<boolean> {
  const prefix = outcomePrefix('skipped', 'too_deep');
  return (await table.query(`JOB#${job.jobId}`, { prefix, limit: 1 })).items.length > 0;
}

/** A page that answers and was not met is linked from nowhere. */
async function markUnlinked({ isMet = false }: Probe, row: RegisteredPage | undefined, slice: Slice): Promise<void> {
  const { siteId, generation } = slice.job;
  if (!row || (row.unlinked ?? false) === !isMet) return;
  const change = isMet ? { unset: ['unlinked'] } : { set: { unlinked: true } };
  await slice.write([
    { update: pageKey(siteId, generation, row), ...change, when: { equals: { revision: row.revision } } },
  ]);
}
