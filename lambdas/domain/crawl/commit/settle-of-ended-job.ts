import type { PageDeps, PageWriter } from '../../pages/page-writer.ts';
import { endPendingWrites } from '../../pages/pending-writes.ts';
import { type StagedPages, settle } from '../../pages/write-pages.ts';
import type { Table } from '../../ports/table.ts';
import { type CrawlJob, hasEnded, readJob } from '../jobs/job.ts';

type Pauses = { readonly sleep: (ms: number) => Promise<void> };

/** How long a worker waits for the end of a job whose lease was taken for that: 3 s in all. */
const MOST_READS = 30;
const PAUSE_MS = 100;

/**
 * For a worker that lost its lease after it has indexed a batch: if the job was ended, it counts the pages of the batch
 * (crawl/jobs/unfinished-pages.ts), and their rows are settled now. Otherwise the next slice visits them again.
 */
export async function settleOfEndedJob(
  { jobId }: Pick<CrawlJob, 'jobId'>,
  { site, visible, written, pending }: StagedPages & Pick<PageWriter, 'site' | 'visible'>,
  deps: PageDeps & Pauses,
): Promise<void> {
  if (!(await isEnded(jobId, deps))) return;
  const rows = [...written.values()].filter((row) => typeof row === 'object');
  await Promise.all(rows.map((row) => settle(row, { site, visible }, deps)));
  await endPendingWrites(pending, deps.table);
}

/** Waits for the writer that ends the job, if there is one: it reads which pages are registered. */
async function isEnded(jobId: string, { table, sleep }: { readonly table: Table } & Pauses): Promise<boolean> {
  for (let read = 0; read < MOST_READS; read++) {
    const job = await readJob(jobId, table);
    if (!job || hasEnded(job) || !job.isRevoked) return job !== undefined && hasEnded(job);
    await sleep(PAUSE_MS);
  }
  return false;
}
