import { type Clock, epochSeconds } from '../../clock.ts';
import type { Condition, Table } from '../../ports/table.ts';
import { stateKey } from '../../sites/site.ts';
import { type CrawlJob, jobKey, runningKey } from '../job/job.ts';

export type JobEnd =
  | { readonly status: 'completed'; readonly endReason: 'done' | 'limit' }
  | { readonly status: 'cancelled'; readonly endReason: 'cancelled' }
  /** `endReason` is a code for programs, `error` a sentence for people. */
  | { readonly status: 'failed'; readonly endReason: string; readonly error: string };

/** Ends a job and frees its site in one write; false if the condition on the job did not hold. */
export async function endJob(
  job: Pick<CrawlJob, 'jobId' | 'siteId' | 'baseUrl' | 'consumes'>,
  end: JobEnd,
  when: Condition,
  { table, clock }: { readonly table: Table; readonly clock: Clock },
): Promise<boolean> {
  const now = epochSeconds(clock);
  const failure = end.status === 'failed' ? { error: end.error } : {};
  const completed = {
    lastCrawledAt: now,
    effectiveBaseUrl: job.baseUrl,
    ...(job.consumes !== undefined && { consumedList: job.consumes }),
  };
  const lastCrawl = {
    jobId: job.jobId,
    status: end.status,
    ...(end.status === 'failed' && { error: end.error, errorCode: end.endReason }),
  };
  const refused = await table.write([
    {
      update: jobKey(job.jobId),
      set: { status: end.status, endReason: end.endReason, completedAt: now, inFlight: [], ...failure },
      unset: ['currentUrl'],
      when,
    },
    { remove: runningKey(job.jobId) },
    {
      update: stateKey(job.siteId),
      set: { runningJobId: null, lastCrawl, ...(end.status === 'completed' && completed) },
      when: { equals: { runningJobId: job.jobId } },
    },
  ]);
  return refused.length === 0;
}
