import { defined } from '../../../text/defined.ts';
import { everyItem } from '../../every-item.ts';
import type { PageDeps } from '../../pages/page-writer.ts';
import { pendingItem } from '../../pages/pending-writes.ts';
import { type MarkedPage, markedPage, markedRow, removeMarkedPages } from '../../pages/remove-pages.ts';
import type { Change, Key } from '../../ports/table.ts';
import { type CrawlJob, jobKey } from '../jobs/job.ts';
import { holdsLease, LostLease } from '../jobs/slice.ts';
import { demoteChanges, type Ending } from '../jobs/url-rows.ts';
import type { TextOwner } from './duplicates.ts';

/*
 * A text owner that becomes a duplicate is marked for removal in the write that ends the visit of the better page. This
 * slice or a later one then removes it.
 */

type Demotion = Pick<MarkedPage, 'row' | 'textRevision'> & { readonly was: Ending; readonly target: string };

const DEMOTIONS = 'DEMOTE#';

/** Returns the changes that mark the former owner for removal. `revision` is a new one of the site. */
export function markReplacedPage(
  { demotable }: TextOwner,
  target: string,
  revision: number,
  { siteId, generation, jobId }: CrawlJob,
): readonly Change[] {
  if (!demotable) return [];
  const { outcome, status } = demotable.was;
  const marked = markedPage(demotable.row, revision);
  const demotion: Demotion = { ...marked, was: { outcome, ...defined({ status }) }, target };
  return [
    { put: { pk: `JOB#${jobId}`, sk: DEMOTIONS + demotable.row.urlHash, ...demotion } },
    markedRow({ siteId, generation }, marked),
  ];
}

/** Records the pages that are about to be marked, in case the job is cancelled before it has removed them. */
export async function rememberReplacedPages(
  revisions: ReadonlyMap<{ readonly replacedOwner?: TextOwner | undefined }, number>,
  job: CrawlJob,
  { table, clock }: PageDeps,
): Promise<readonly Key[]> {
  const { siteId, generation, jobId } = job;
  const marked = [...revisions].flatMap(([{ replacedOwner }, revision]) =>
    replacedOwner?.demotable ? markedPage(replacedOwner.demotable.row, revision) : [],
  );
  const [firstRevision] = revisions.values();
  if (marked.length === 0 || firstRevision === undefined) return [];
  const item = pendingItem({ site: { siteId, generation }, firstRevision, jobId }, marked, clock);
  const refused = await table.write([{ check: jobKey(jobId), when: holdsLease(job) }, { put: item }]);
  if (refused.length > 0) throw new LostLease();
  return [item];
}

/** Removes the pages that were marked by this or an earlier holder of the lease. */
export async function removeReplacedPages(job: CrawlJob, deps: PageDeps): Promise<void> {
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
    // The page was ingested since, or an earlier attempt removed it. Only items of the job may be left to write.
    if (removed !== 'overtaken') continue;
    const refused = await deps.table.write([counters, ...demoted]);
    if (refused.includes(counters)) throw new LostLease();
  }
}
