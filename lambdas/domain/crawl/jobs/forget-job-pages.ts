import { defined } from '../../../text/defined.ts';
import type { Clock } from '../../clock.ts';
import type { Table } from '../../ports/table.ts';
import { type CrawlJob, hasEnded, jobKey, jobsOf } from './job.ts';

/** Number of a site's newest jobs whose URLs can be listed. */
export const LISTED_JOBS = 10;

const JOBS_PER_READ = 50;
const ROWS_PER_READ = 500;

type ForgetDeps = { readonly table: Table; readonly clock: Clock };

/**
 * Removes the rows of URLs, which grow with every crawl, of all but a site's newest jobs. The jobs stay, with their
 * counts. Returns false if rows are left when the deadline (epoch milliseconds) has passed.
 */
export async function forgetJobPages(siteId: string, deadline: number, deps: ForgetDeps): Promise<boolean> {
  // The oldest first: after a crash, the search for such jobs must still end at the first one without rows.
  for (const { jobId } of (await jobsToForget(siteId, deps.table)).reverse()) {
    if (!(await removeRows(jobId, deadline, deps))) return false;
    await deps.table.update(jobKey(jobId), { set: { pagesForgotten: true }, when: { exists: true } });
  }
  return true;
}

/** Returns the ended jobs that have rows, newest first, except for the newest `LISTED_JOBS` jobs. */
async function jobsToForget(siteId: string, table: Table): Promise<CrawlJob[]> {
  const found: CrawlJob[] = [];
  let position = 0;
  let after: string | undefined;
  do {
    const page = await jobsOf(siteId, { limit: JOBS_PER_READ, after }, table);
    for (const job of page.items) {
      if (job.pagesForgotten) return found;
      position++;
      if (position > LISTED_JOBS && hasEnded(job)) found.push(job);
    }
    after = page.next;
  } while (after !== undefined);
  return found;
}

async function removeRows(jobId: string, deadline: number, { table, clock }: ForgetDeps): Promise<boolean> {
  const { pk, sk: ownSk } = jobKey(jobId);
  for (let after: string | undefined; ; ) {
    const { items, next } = await table.query(pk, { limit: ROWS_PER_READ, ...defined({ after }) });
    await table.removeMany(items.filter(({ sk }) => sk !== ownSk));
    if (next === undefined) return true;
    if (clock() > deadline) return false;
    after = next;
  }
}
