import { writeUnrefused } from '../../pages/write-unrefused.ts';
import type { Change, FieldChanges } from '../../ports/table.ts';
import { jobKey } from '../job/job.ts';
import { holdsLease, LostLease, type Slice } from '../job/slice.ts';
import { endProbe, type Probe, postponeProbe } from './probe-rows.ts';
import type { Verdict } from './verdict.ts';

type Settling = {
  /** What is written besides the end of the probe. */
  readonly also?: (probe: Probe, verdict: Verdict) => readonly Change[];
  /** Changes of the job for these verdicts, which are written with them. */
  readonly ofJob: (verdicts: readonly Verdict[]) => FieldChanges;
  readonly pausedUntil: number | undefined;
};

/** Ends or postpones the probes of one round, each once, under the job's lease. */
export async function settleVerdicts(
  verdicts: ReadonlyMap<Probe, Verdict>,
  slice: Slice,
  { also = () => [], ofJob, pausedUntil }: Settling,
): Promise<void> {
  const { job, table } = slice;
  const changes = (probe: Probe, verdict: Verdict): readonly Change[] =>
    verdict.kind === 'later'
      ? [postponeProbe(probe, verdict.next, slice)]
      : [endProbe(probe, slice), ...also(probe, verdict)];
  const changesOf = new Map([...verdicts].map(([probe, verdict]) => [probe, changes(probe, verdict)] as const));
  await writeUnrefused(
    {
      changesOf,
      shared: (left) => {
        const { set, add } = ofJob(left.flatMap((probe) => verdicts.get(probe) ?? []));
        const currentUrl = left.at(-1)?.url;
        return [
          {
            update: jobKey(job.jobId),
            set: {
              ...set,
              ...(currentUrl !== undefined && { currentUrl }),
              ...(pausedUntil !== undefined && { pausedUntil }),
            },
            ...(add && { add }),
            when: holdsLease(job),
          },
        ];
      },
      refuse: () => Promise.reject(new LostLease()),
    },
    table,
  );
}
