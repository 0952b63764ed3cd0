import { defined } from '../../../text/defined.ts';
import { pageKey, type RegisteredPage } from '../../pages/page-registry.ts';
import { writeUnrefused } from '../../pages/write-unrefused.ts';
import type { Change } from '../../ports/table.ts';
import { isSweep, jobKey } from '../jobs/job.ts';
import { holdsLease, LostLease, type Slice } from '../jobs/slice.ts';
import { removeUnderLease } from './apply-removal.ts';
import { addGone, endProbe, type Probe, postponeProbe } from './probe-rows.ts';
import type { Probing } from './probe-rules.ts';
import type { Verdict } from './verdict.ts';

/**
 * A page that another writer changes at the same time is probed again, up to `MAX_TRIES` times after `PAUSE_MS` each.
 */
const MAX_TRIES = 5;
const PAUSE_MS = 2000;

type Verdicts = ReadonlyMap<Probe, Verdict>;

/** The result of a round of probes. */
export type Round = {
  readonly verdicts: Verdicts;
  /** The rows of the pages before they were probed, by URL hash. */
  readonly rows: ReadonlyMap<string, RegisteredPage>;
  /** The moment until which the server asked for a pause. */
  readonly pausedUntil: number | undefined;
};

/**
 * Records the verdicts of a round. A crawl lists the pages that are gone; a sweep removes them. May be repeated with
 * the same round after an error.
 */
export async function settleRound(round: Round, probing: Probing): Promise<void> {
  const { slice, marksUnlinked } = probing;
  if (marksUnlinked) await markUnlinked(round, slice);
  const settled = isSweep(slice.job) ? await removeConfirmed(round, probing) : round.verdicts;
  await writeVerdicts(settled, round.pausedUntil, slice);
}

/** Marks pages that are answered and that no page links to, and removes the mark from linked ones. */
async function markUnlinked({ verdicts, rows }: Round, slice: Slice): Promise<void> {
  const { siteId, generation } = slice.job;
  for (const [{ urlHash, isMet = false }, { kind }] of verdicts) {
    const row = rows.get(urlHash);
    if (kind !== 'alive' || !row || (row.unlinked ?? false) === !isMet) continue;
    const change = isMet ? { unset: ['unlinked'] } : { set: { unlinked: true } };
    await slice.write([
      { update: pageKey(siteId, generation, row), ...change, when: { equals: { revision: row.revision } } },
    ]);
  }
}

/** Removes the pages that are gone. Pages that another writer has changed since are to be probed again. */
async function removeConfirmed({ verdicts, rows }: Round, probing: Probing): Promise<Verdicts> {
  const { slice } = probing;
  const gone = [...verdicts].flatMap(([probe, { kind }]) => (kind === 'gone' ? (rows.get(probe.urlHash) ?? []) : []));
  const removed = await removeUnderLease(gone, slice, probing);
  const overtaken = new Set(gone.filter((row) => removed.get(row) === 'overtaken').map(({ urlHash }) => urlHash));
  return new Map(
    [...verdicts].map(([probe, verdict]) => [probe, overtaken.has(probe.urlHash) ? again(probe, slice) : verdict]),
  );
}

function again({ tries = 0 }: Probe, { clock }: Slice): Verdict {
  if (tries >= MAX_TRIES) return { kind: 'unknown' };
  return { kind: 'later', next: { tries: tries + 1, notBefore: clock() + PAUSE_MS } };
}

/** Ends or postpones the probes of a round, each once, under the job's lease. A sweep counts them in the same write. */
async function writeVerdicts(verdicts: Verdicts, pausedUntil: number | undefined, slice: Slice): Promise<void> {
  const { job, table } = slice;
  const changes = (probe: Probe, verdict: Verdict): readonly Change[] => {
    if (verdict.kind === 'later') return [postponeProbe(probe, verdict.next, slice)];
    const isListed = verdict.kind === 'gone' && !isSweep(job);
    return [endProbe(probe, slice), ...(isListed ? [addGone(probe, verdict.reason, slice)] : [])];
  };
  await writeUnrefused(
    {
      changesOf: new Map([...verdicts].map(([probe, verdict]) => [probe, changes(probe, verdict)] as const)),
      shared: (left) => {
        const currentUrl = left.at(-1)?.url;
        return [
          {
            update: jobKey(job.jobId),
            set: {
              ...defined({ currentUrl, pausedUntil }),
            },
            ...(isSweep(job) && { add: sweptCounts(left.flatMap((probe) => verdicts.get(probe) ?? [])) }),
            when: holdsLease(job),
          },
        ];
      },
      refuse: () => Promise.reject(new LostLease()),
    },
    table,
  );
}

function sweptCounts(verdicts: readonly Verdict[]): Readonly<Record<'removed' | 'kept', number>> {
  const count = (...kinds: readonly Verdict['kind'][]) => verdicts.filter(({ kind }) => kinds.includes(kind)).length;
  return { removed: count('gone', 'missing'), kept: count('alive', 'unknown') };
}
