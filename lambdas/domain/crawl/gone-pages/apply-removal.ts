import { type RegisteredPage, readRows } from '../../pages/page-registry.ts';
import { type PageDeps, reserveRevisions } from '../../pages/page-writer.ts';
import { MAX_REMOVED, type Removed, removePages } from '../../pages/remove-pages.ts';
import { isSweep, jobKey } from '../jobs/job.ts';
import { holdsLease, LostLease, type Slice } from '../jobs/slice.ts';
import { endGone, firstGone, type Gone } from './probe-rows.ts';

/** Removes crawled pages under the job's lease. A page that another writer changes at the same time is `overtaken`. */
export async function removeUnderLease(
  rows: readonly RegisteredPage[],
  { job, table }: Slice,
  deps: PageDeps,
): Promise<ReadonlyMap<RegisteredPage, Removed>> {
  const { siteId, generation, jobId } = job;
  const site = { siteId, generation };
  const lock: Record<string, string> = isSweep(job) ? { runningSweepId: jobId } : { runningJobId: jobId };
  const removed = await removePages(
    rows,
    {
      site,
      reserve: (count) => reserveRevisions(site, count, table, lock),
      visible: 'soon',
      guard: { check: jobKey(jobId), when: holdsLease(job) },
    },
    deps,
  );
  if ([...removed.values()].includes('revoked')) throw new LostLease();
  return removed;
}

/** Removes the pages that a crawl has listed as gone. An ingested page stays. Returns false if time ran out. */
export async function removeGone(slice: Slice, deps: PageDeps): Promise<boolean> {
  while (slice.clock() < slice.deadline && !slice.halt.aborted) {
    const pages = await slice.attempt(() => firstGone(MAX_REMOVED, slice));
    if (pages.length === 0) return true;
    await slice.attempt(() => removeBatch(pages, slice, deps));
  }
  return false;
}

async function removeBatch(pages: readonly Gone[], slice: Slice, deps: PageDeps): Promise<void> {
  const rows = await readRows(slice.job, pages, slice.table);
  const crawled = [...rows.values()].filter(({ source }) => source === 'crawl');
  const removed = await removeUnderLease(crawled, slice, deps);
  const isGone = ({ urlHash }: Gone): boolean => {
    const row = rows.get(urlHash);
    return row === undefined || typeof removed.get(row) === 'object';
  };
  // A change is refused if an earlier write, whose answer was lost, has counted the page.
  await slice.write(
    pages.map((page) => endGone(page, slice)),
    { add: { removed: pages.filter(isGone).length } },
  );
}
