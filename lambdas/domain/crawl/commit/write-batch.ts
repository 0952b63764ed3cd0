import { UnavailableError } from '../../errors.ts';
import { pageKey, type RegisteredPage } from '../../pages/page-registry.ts';
import type { PageDraft } from '../../pages/page-writer.ts';
import { endPendingWrites } from '../../pages/pending-writes.ts';
import { type StagedPages, settle, settledRow, stagePages, type Written, writePages } from '../../pages/write-pages.ts';
import type { Change, Key } from '../../ports/table.ts';
import { stateKey } from '../../sites/site.ts';
import { claimText } from '../duplicates/duplicates.ts';
import { markReplacedPage, rememberReplacedPages, removeReplacedPages } from '../duplicates/replaced-pages.ts';
import type { Visit } from '../fetch/visit-result.ts';
import { type CrawlJob, effectiveBase, hasEnded, jobKey, readJob } from '../jobs/job.ts';
import { outcomeCounts } from '../jobs/outcome-counts.ts';
import { holdsLease, LostLease } from '../jobs/slice.ts';
import { finishChanges, postponeChanges, type QueuedUrl } from '../jobs/url-rows.ts';
import type { Crawl } from '../open-crawl.ts';
import type { ClassifiedVisit } from './classify-pages.ts';
import { type PagePlan, planCounts } from './plan-pages.ts';
import { moveIn, type PreparedBatch } from './prepare-batch.ts';

/*
 * Pages are written by the protocol in write-pages.ts. Their rows are settled in the write that gives the URLs their
 * outcomes. After an earlier crash the URLs are still queued, and the next slice visits them again.
 */

/**
 * The last write has four items per page, six if the page replaces a text owner, and two more. A write holds 100 items.
 */
export const PAGES_PER_COMMIT = 16;
/** Thrown if pages were ingested or removed during the write. The visits are then classified again. */
const OVERTAKEN = 'a page was written by others meanwhile';

/** Number of polls for the end of a job whose lease was revoked in order to end it: 3 s in all. */
const MAX_READS = 30;
const PAUSE_MS = 100;

/** `row`: the present row of its page, if any. `plan`: the plan of a dry run. */
type CommittedVisit = ClassifiedVisit & { readonly row: RegisteredPage | undefined; readonly plan?: PagePlan };

/** Writes the pages of a batch, then the outcomes of its visits. A slice writes one batch at a time. */
export async function writeBatch({ visits, pages }: PreparedBatch, crawl: Crawl): Promise<void> {
  const { job } = crawl.slice;
  const staged = await stagePages(pages, crawl.writer.pages, crawl);
  const committed = visits.map((page) => committedVisit(page, staged.written, crawl));
  const { ended, refused } = await writeOutcomes(committed, staged.pending, crawl).catch(async (error: unknown) => {
    if (error instanceof LostLease) await settleOfEndedJob(staged, crawl);
    throw error;
  });
  await leaveQueue(committed, new Set(refused), crawl);
  if (committed.some(({ replacedOwner }) => replacedOwner)) await removeReplacedPages(job, crawl);
  await endPendingWrites(ended, crawl.table);
}

function committedVisit(
  page: ClassifiedVisit,
  written: ReadonlyMap<PageDraft, Written>,
  { writer }: Crawl,
): CommittedVisit {
  const row = page.draft ? (written.get(page.draft) ?? 'overtaken') : page.confirmed;
  if (row === 'no_room') return { ...writer.quota.leftOut(page), row: undefined };
  if (row === 'revoked') throw new LostLease();
  if (row === 'overtaken') throw overtaken(writer);
  return { ...page, row };
}

function overtaken({ revisions }: Crawl['writer']): UnavailableError {
  revisions.drop();
  return new UnavailableError(OVERTAKEN);
}

type WrittenOutcomes = {
  /** Pending writes that end once the marked pages are removed. */
  readonly ended: readonly Key[];
  /** URLs whose outcome or next try was refused. */
  readonly refused: readonly QueuedUrl[];
};

/** Writes the outcomes of the URLs, settles the rows of their pages and counts both, in one write. */
async function writeOutcomes(
  committed: readonly CommittedVisit[],
  pending: readonly Key[],
  crawl: Crawl,
): Promise<WrittenOutcomes> {
  const { job, table } = crawl.slice;
  const move = moveIn(
    committed.map(({ visit }) => visit),
    job,
  );
  const counters = {
    update: jobKey(job.jobId),
    set: {
      currentUrl: committed.at(-1)?.visit.queued.url ?? job.baseUrl,
      ...move,
      ...pauseOf(committed),
      ...crawl.refusals.jobFields,
      ...crawl.writer.quota.jobFields,
    },
    add: increments(committed),
    when: holdsLease(job),
  };
  const outcomes = new Map(committed.map((page) => [page, outcomeChanges(page, job)] as const));
  const revisions = await revisionsOf(
    committed.filter(({ replacedOwner }) => replacedOwner),
    crawl,
  );
  const removals = await rememberReplacedPages(revisions, job, crawl);
  const refused = await table.write([
    counters,
    ...(move && !job.dryRun ? [{ update: stateKey(job.siteId), set: effectiveBase(move) }] : []),
    ...[...outcomes.values()].flat(),
    ...committed.flatMap((page) => pageChanges(page, revisions.get(page), crawl)),
  ]);
  if (refused.length === 0) return { ended: [...pending, ...removals], refused: [] };
  if (refused.includes(counters)) throw new LostLease();
  // An outcome is refused if an earlier attempt wrote it and its answer was lost, or if the URL was queued again in a
  // better way. The other visits are written without it. Its row may stay pending.
  const isRefused = (page: CommittedVisit) => outcomes.get(page)?.some((change) => refused.includes(change)) ?? false;
  const left = committed.filter((page) => !isRefused(page));
  if (left.length === committed.length) throw overtaken(crawl.writer);
  const rest = left.length > 0 ? await writeOutcomes(left, [], crawl) : { ended: [], refused: [] };
  const refusedUrls = committed.filter(isRefused).map(({ visit }) => visit.queued);
  return { ended: [...removals, ...rest.ended], refused: [...refusedUrls, ...rest.refused] };
}

/** Returns the moment until which the site asked for a pause, so that the next slice waits too. */
function pauseOf(visits: readonly ClassifiedVisit[]): Pick<CrawlJob, 'pausedUntil'> {
  const moments = visits.flatMap(({ visit }) => ('next' in visit && visit.slowsDown ? [visit.next.notBefore] : []));
  return moments.length === 0 ? {} : { pausedUntil: Math.max(...moments) };
}

/** Returns the amounts that a batch adds to the counters of its job. */
function increments(visits: readonly CommittedVisit[]): Readonly<Record<string, number>> {
  const count = (is: (visit: Visit) => boolean) => visits.filter(({ visit }) => is(visit)).length;
  return {
    ...outcomeCounts(visits.flatMap(({ ending }) => ('outcome' in ending ? ending : []))),
    fetches: count(({ fetched }) => fetched),
    answered: count(({ answered }) => answered),
    ...planCounts(visits.map(({ plan }) => plan)),
  };
}

const outcomeChanges = ({ visit: { queued }, ending }: CommittedVisit, { jobId }: CrawlJob): readonly Change[] =>
  'outcome' in ending ? finishChanges(jobId, queued, ending) : postponeChanges(jobId, queued, ending);

async function revisionsOf(
  pages: readonly CommittedVisit[],
  { writer }: Crawl,
): Promise<ReadonlyMap<CommittedVisit, number>> {
  if (pages.length === 0) return new Map();
  const first = await writer.revisions.reserve(pages.length);
  if (first === undefined) throw new LostLease();
  return new Map(pages.map((page, index) => [page, first + index] as const));
}

/** Returns the registry changes of a page: its row, its text, and the text owner that it replaces. */
function pageChanges(
  { visit: { queued }, row, draft, claimed, replacedOwner, plan }: CommittedVisit,
  revision: number | undefined,
  { slice: { job }, writer }: Crawl,
): readonly Change[] {
  if (!row) return plan ? [plan.claim] : [];
  const { site } = writer.pages;
  const when = { equals: { revision: row.revision } };
  const confirmed = { put: { ...pageKey(site.siteId, site.generation, row), ...row }, when };
  return [
    draft ? settledRow(site, row) : confirmed,
    ...(claimed ? [] : [claimText(job, row)]),
    ...(replacedOwner && revision !== undefined ? markReplacedPage(replacedOwner, queued.url, revision, job) : []),
  ];
}

async function leaveQueue(
  visits: readonly ClassifiedVisit[],
  refused: ReadonlySet<QueuedUrl>,
  { frontier }: Crawl,
): Promise<void> {
  for (const { visit, ending } of visits)
    if (!refused.has(visit.queued)) frontier.dequeued(visit.queued, 'outcome' in ending ? undefined : ending);
  if (refused.size > 0) await frontier.reload([...refused]);
}

/**
 * Settles the rows of an indexed batch after its worker lost the lease to a process that ended the job. That process
 * counts the pages (crawl/jobs/unfinished-pages.ts). If the job has not ended, the next slice visits them again.
 */
async function settleOfEndedJob({ written, pending }: StagedPages, crawl: Crawl): Promise<void> {
  if (!(await hasJobEnded(crawl))) return;
  const rows = [...written.values()].filter((row) => typeof row === 'object');
  await Promise.all(rows.map((row) => settle(row, crawl.writer.pages, crawl)));
  await endPendingWrites(pending, crawl.table);
}

/** Waits for the process that ends the job, if any, because it reads which pages are registered. */
async function hasJobEnded({ slice: { job, table, sleep } }: Crawl): Promise<boolean> {
  for (let read = 0; read < MAX_READS; read++) {
    const last = await readJob(job.jobId, table);
    if (!last || hasEnded(last) || !last.isRevoked) return last !== undefined && hasEnded(last);
    await sleep(PAUSE_MS);
  }
  return false;
}

/** Writes pages of which only the row has changed. It leaves out pages that another writer has written since. */
export async function rewritePages(drafts: readonly PageDraft[], crawl: Crawl): Promise<void> {
  const written = [...(await writePages(drafts, crawl.writer.pages, crawl)).values()];
  if (written.includes('revoked')) throw new LostLease();
  if (written.includes('overtaken')) crawl.writer.revisions.drop();
}
