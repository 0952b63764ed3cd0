import { type CrawlJob, hasEnded } from './job.ts';
import { OUTCOME_NAMES, OUTCOMES, type Outcome, type Reason } from './outcomes.ts';
import type { Ending } from './url-rows.ts';

/*
 * A job counts its URLs by outcome, and URLs with a reason also by reason. Both counters change in the write that sets
 * or revokes the outcome of a URL, so they always add up.
 */

const reasonCounter = (outcome: Outcome, reason: string): string => `${outcome}:${reason}`;

/** Returns the amounts to add to a job's counters when URLs get these outcomes, or lose them with -1. */
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

/** Returns the counters by reason that are not zero. */
export function reasonsOf(job: CrawlJob, outcome: Outcome): Readonly<Partial<Record<Reason, number>>> {
  const counters = job as unknown as Readonly<Record<string, number | undefined>>;
  const counts = OUTCOMES[outcome].map((reason) => [reason, counters[reasonCounter(outcome, reason)] ?? 0] as const);
  return Object.fromEntries(counts.filter(([, count]) => count !== 0));
}

export const endedUrls = (job: CrawlJob): number => OUTCOME_NAMES.reduce((sum, name) => sum + job[name], 0);

/** Returns the reason with which URLs still queued at the job's end count as skipped. */
export const unvisitedReason = ({ status }: Pick<CrawlJob, 'status'>): Reason =>
  status === 'cancelled' ? 'cancelled' : 'over_limit';

/** Returns the number of URLs that were still queued when the job ended. */
export const unvisitedUrls = (job: CrawlJob): number => (hasEnded(job) ? job.discovered - endedUrls(job) : 0);

/**
 * Returns the counts of a job's URLs by outcome and reason; undefined for a job of an earlier version, which did not
 * count reasons.
 */
export function outcomesView(job: CrawlJob) {
  const [skipped, gone, failed] = [reasonsOf(job, 'skipped'), reasonsOf(job, 'gone'), reasonsOf(job, 'failed')];
  if (sumOf(skipped) !== job.skipped || sumOf(gone) !== job.gone || sumOf(failed) !== job.failed) return undefined;
  const unvisited = unvisitedUrls(job);
  const reason = unvisitedReason(job);
  return {
    indexed: job.indexed,
    unchanged: job.unchanged,
    duplicate: job.duplicate,
    skipped: { ...skipped, ...(unvisited > 0 && { [reason]: (skipped[reason] ?? 0) + unvisited }) },
    gone,
    failed,
  };
}
