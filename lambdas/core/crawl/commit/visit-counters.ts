import type { CrawlJob, JobCounters } from '../job/job.ts';
import type { ClassifiedVisit } from './classify-pages.ts';

/** The moment until which the site asked for a pause, so that the next slice waits too. */
export function pause(visits: readonly ClassifiedVisit[]): Pick<CrawlJob, 'pausedUntil'> {
  const moments = visits.flatMap(({ visit }) => ('next' in visit && visit.load ? [visit.next.notBefore] : []));
  return moments.length === 0 ? {} : { pausedUntil: Math.max(...moments) };
}

export function increments(visits: readonly ClassifiedVisit[]): Partial<Record<keyof JobCounters, number>> {
  const sums: Partial<Record<keyof JobCounters, number>> = {};
  const add = (counter: keyof JobCounters) => {
    sums[counter] = (sums[counter] ?? 0) + 1;
  };
  for (const { visit, ending } of visits) {
    if ('outcome' in ending) add(ending.outcome);
    if (visit.fetched) add('fetches');
    if (visit.answered) add('answered');
  }
  return sums;
}
