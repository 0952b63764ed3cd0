import type { Clock } from '../../clock.ts';
import { everyItem } from '../../every-item.ts';
import type { PageDeps } from '../../pages/page-writer.ts';
import { type MarkedPage, markedPage, markedRow, removeMarkedPages } from '../../pages/remove-pages.ts';
import type { Change } from '../../ports/table.ts';
import { demoteChanges, type Ending } from '../frontier/frontier-rows.ts';
import { type CrawlJob, jobKey } from '../job/job.ts';
import { holdsLease, LostLease } from '../job/slice.ts';
import type { TextOwner } from './text-owners.ts';

/*
 * When a job finds a better owner of a text (text-owners.ts) than the page that it has indexed, that page becomes a
 * duplicate: it is marked for removal in the write that ends the visit of the better page, and removed afterwards, by
 * this slice or a later one.
 */

type Demotion = Pick<MarkedPage, 'row' | 'textRevision'> & { readonly was: Ending; readonly target: string };

const DEMOTIONS = 'DEMOTE#';

/** The changes that mark the former owner for removal; `revision` is a new one of the site. */
export function beginDemotion(
  { demotable }: TextOwner,
  target: string,
  revision: number,
  { siteId, generation, jobId }: CrawlJob,
): readonly Change[] {
  if (!demotable) return [];
  const { outcome, status } = demotable.was;
  const marked = markedPage(demotable.row, revision);
  const demotion: Demotion = { ...marked, was: { outcome, ...(status !== undefined && { status }) }, target };
  return [
    { put: { pk: `JOB#${jobId}`, sk: DEMOTIONS + demotable.row.urlHash, ...demotion } },
    markedRow({ siteId, generation }, marked),
  ];
}

/** Removes the pages whose demotion was begun, by this holder of the lease or another. */
export async function finishDemotions(job: CrawlJob, deps: PageDeps & { readonly clock: Clock }): Promise<void> {
  const { siteId, generation, jobId } = job;
  for await (const { pk, sk, row, textRevision, was, target } of everyItem<Demotion>(
    deps.table,
    `JOB#${jobId}`,
    DEMOTIONS,
  )) {
    const counters = {
      update: jobKey(jobId),
      add: { [was.outcome]: -1, duplicate: 1 },
      when: holdsLease(job),
    };
    const demoted = [{ remove: { pk, sk }, when: { exists: true } }, ...demoteChanges(jobId, row, was, target)];
    const page = { row, textRevision, alsoWritten: demoted };
    const remover = { site: { siteId, generation }, visible: 'soon', guard: counters } as const;
    const removed = (await removeMarkedPages([page], remover, deps)).get(page);
    if (removed === 'revoked') throw new LostLease();
    // The page was ingested meanwhile, or this was done before: only the job has something to write, if anything.
    if (removed !== 'overtaken') continue;
    const refused = await deps.table.write([counters, ...demoted]);
    if (refused.includes(counters)) throw new LostLease();
  }
}
