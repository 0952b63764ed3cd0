import { type CrawlJob, hasEnded } from './job.ts';
import { OUTCOME_NAMES, OUTCOMES, type Outcome, type Reason } from './outcomes.ts';
import type { Ending } from './url-rows.ts';

/*
 * A job counts its URLs by outcome, and those with a reason by reason too. Both counters change in the write that
 * gives a URL its outcome or takes it back, so they add up at every moment.
 */

const reasonCounter = (outcome: Outcome, reason: string): string => `${outcome}:${reason}`;

/** What to add to a job's counters when URLs get these outcomes, or with -1 when they lose them. */
export function outcomeCounts(endings: readonly Ending[], by: 1 | -1 = 1): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  const add = (counter: string) => {
    counts[counter] = (counts[counter] ?? 0) + by;
  };
  for (const { outcome, reason } of endings) {
    add(outcome);
    if (reason !== undefined) add(reasonCounter(outcome, reason));
  }
  return counts;
}

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The counters by reason that are not zero. */
export function reasonsOf(job: CrawlJob, outcome: Outcome): Readonly<Partial<Record<Reason, number>>> {
  const counters = job as unknown as Readonly<Record<string, number | undefined>>;
  const counts = OUTCOMES[outcome].map((reason) => [reason, counters[reasonCounter(outcome, reason)] ?? 0] as const);
  return Object.fromEntries(counts.filter(([, count]) => count !== 0));
}

export const endedUrls = (job: CrawlJob): number => OUTCOME_NAMES.reduce((sum, name) => sum + job[name], 0);

/** URLs that were still queued when the job ended read as skipped, for this reason. */
export const unvisitedReason = ({ status }: Pick<CrawlJob, 'status'>): Reason =>
  status === 'cancelled' ? 'cancelled' : 'over_limit';

/** How many URLs were still queued when the job ended. */
export const unvisitedUrls = (job: CrawlJob): number => (hasEnded(job) ? job.discovered - endedUrls(job) : 0);

/** The URLs of a job by outcome and reason; undefined for a job of an earlier version, which did not count reasons. */
export function outcomesView(job: CrawlJob) {
  const [skipped, gone, failed] = [reasonsOf(job, 'skipped'), reasonsOf(job, 'gone'), reasonsOf(job, 'failed')];
  if (sumOf(skipped) !== job.skipped || sumOf(gone) !== job.gone || sumOf(failed) !== job.failed) return undefined;
  const unvisited = unvisitedUrls(job);
  const reason = unvisitedReason(job);
  return {
    ...{ indexed: job.indexed, unchanged: job.unchanged, duplicate: job.duplicate },
    skipped: { ...skipped, ...(unvisited > 0 && { [reason]: (skipped[reason] ?? 0) + unvisited }) },
    ...{ gone, failed },
  };
}
