import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { Visit } from '../fetch/visit-result.ts';
import type { CrawlJob } from '../jobs/job.ts';
import { outcomeCounts } from '../jobs/outcome-counts.ts';
import type { ClassifiedVisit } from './classify-pages.ts';
import { type PagePlan, planCounts } from './plan-pages.ts';

/** `row`: of its page, if it has one now. `plan`: in a dry run, what would be done. */
export type CommittedVisit = ClassifiedVisit & { readonly row: RegisteredPage | undefined; readonly plan?: PagePlan };

/** The moment until which the site asked for a pause, so that the next slice waits too. */
export function pauseOf(visits: readonly ClassifiedVisit[]): Pick<CrawlJob, 'pausedUntil'> {
  const moments = visits.flatMap(({ visit }) => ('next' in visit && visit.slowsDown ? [visit.next.notBefore] : []));
  return moments.length === 0 ? {} : { pausedUntil: Math.max(...moments) };
}

/** What a commit adds to the counts of its job. */
export function increments(visits: readonly CommittedVisit[]): Readonly<Record<string, number>> {
  const count = (is: (visit: Visit) => boolean) => visits.filter(({ visit }) => is(visit)).length;
  return {
    ...outcomeCounts(visits.flatMap(({ ending }) => ('outcome' in ending ? ending : []))),
    fetches: count(({ fetched }) => fetched),
    answered: count(({ answered }) => answered),
    ...planCounts(visits.map(({ plan }) => plan)),
  };
}
