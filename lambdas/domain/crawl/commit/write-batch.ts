import { UnavailableError } from '../../errors.ts';
import { pageKey, type RegisteredPage } from '../../pages/page-registry.ts';
import type { PageDraft } from '../../pages/page-writer.ts';
import { endPendingWrites } from '../../pages/pending-writes.ts';
import { type StagedPages, settle, settledRow, stagePages, type Written, writePages } from '../../pages/write-pages.ts';
import type { Change, Key } from '../../ports/table.ts';
import { stateKey } from '../../sites/site.ts';
import { beginDemotion, finishDemotions, rememberDemotions } from '../duplicates/demotions.ts';
import { claimText } from '../duplicates/duplicates.ts';
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
 * Pages are written as write-pages.ts says; their rows are settled in the write that gives the URLs their outcomes. A
 * crash before that leaves the URLs queued, and the next slice visits them again.
 */

/** The last write has four items a page, six if it takes over a text, and two more. A write holds 100. */
export const PAGES_PER_COMMIT = 16;
/** Pages may be ingested or removed meanwhile. The visits are then classified again. */
const OVERTAKEN = 'a page was written by others meanwhile';

/** How long a worker waits for the end of a job whose lease was taken for that: 3 s in all. */
const MOST_READS = 30;
const PAUSE_MS = 100;

/** `row`: of its page, if it has one now. `plan`: in a dry run, what would be done. */
type CommittedVisit = ClassifiedVisit & { readonly row: RegisteredPage | undefined; readonly plan?: PagePlan };

/** Writes the pages of a batch, and then the outcomes of its visits. Of a slice, one batch is written at a time. */
export async function writeBatch({ visits, pages }: PreparedBatch, crawl: Crawl): Promise<void> {
  const { job } = crawl.slice;
  const staged = await stagePages(pages, crawl.writer.pages, crawl);
  const committed = visits.map((page) => committedVisit(page, staged.written, crawl));
  const { ended, refused } = await writeOutcomes(committed, staged.pending, crawl).catch(async (error: unknown) => {
    if (error instanceof LostLease) await settleOfEndedJob(staged, crawl);
    throw error;
  });
  await leaveQueue(committed, new Set(refused), crawl);
  if (committed.some(({ supplants }) => supplants)) await finishDemotions(job, crawl);
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
  /** The pending writes that have ended, once the pages that are marked for removal are removed. */
  readonly ended: readonly Key[];
  /** URLs whose outcome or next try was refused. */
  readonly refused: readonly QueuedUrl[];
};

/** Gives the URLs their outcomes, settles the rows of their pages and counts both, in one write. */
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
    committed.filter(({ supplants }) => supplants),
    crawl,
  );
  const removals = await rememberDemotions(revisions, job, crawl);
  const refused = await table.write([
    counters,
    ...(move && !job.dryRun ? [{ update: stateKey(job.siteId), set: effectiveBase(move) }] : []),
    ...[...outcomes.values()].flat(),
    ...committed.flatMap((page) => pageChanges(page, revisions.get(page), crawl)),
  ]);
  if (refused.length === 0) return { ended: [...pending, ...removals], refused: [] };
  if (refused.includes(counters)) throw new LostLease();
  // A refused outcome was written by an earlier attempt whose answer was lost, or the URL was queued in a better way:
  // the other visits are written without it. Its row may stay pending.
  const isRefused = (page: CommittedVisit) => outcomes.get(page)?.some((change) => refused.includes(change)) ?? false;
  const left = committed.filter((page) => !isRefused(page));
  if (left.length === committed.length) throw overtaken(crawl.writer);
  const rest = left.length > 0 ? await writeOutcomes(left, [], crawl) : { ended: [], refused: [] };
  const refusedUrls = committed.filter(isRefused).map(({ visit }) => visit.queued);
  return { ended: [...removals, ...rest.ended], refused: [...refusedUrls, ...rest.refused] };
}

/** The moment until which the site asked for a pause, so that the next slice waits too. */
function pauseOf(visits: readonly ClassifiedVisit[]): Pick<CrawlJob, 'pausedUntil'> {
  const moments = visits.flatMap(({ visit }) => ('next' in visit && visit.slowsDown ? [visit.next.notBefore] : []));
  return moments.length === 0 ? {} : { pausedUntil: Math.max(...moments) };
}

/** What a batch adds to the counts of its job. */
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

/** The changes of the registry: of the page, its text, and the page that it takes the text over from. */
function pageChanges(
  { visit: { queued }, row, draft, claimed, supplants, plan }: CommittedVisit,
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
    ...(supplants && revision !== undefined ? beginDemotion(supplants, queued.url, revision, job) : []),
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
 * For a worker that lost its lease after it has indexed a batch: if the job was ended, it counts the pages of the batch
 * (crawl/jobs/unfinished-pages.ts), and their rows are settled now. Otherwise the next slice visits them again.
 */
async function settleOfEndedJob({ written, pending }: StagedPages, crawl: Crawl): Promise<void> {
  if (!(await hasJobEnded(crawl))) return;
  const rows = [...written.values()].filter((row) => typeof row === 'object');
  await Promise.all(rows.map((row) => settle(row, crawl.writer.pages, crawl)));
  await endPendingWrites(pending, crawl.table);
}

/** Waits for the writer that ends the job, if there is one: it reads which pages are registered. */
async function hasJobEnded({ slice: { job, table, sleep } }: Crawl): Promise<boolean> {
  for (let read = 0; read < MOST_READS; read++) {
    const last = await readJob(job.jobId, table);
    if (!last || hasEnded(last) || !last.isRevoked) return last !== undefined && hasEnded(last);
    await sleep(PAUSE_MS);
  }
  return false;
}

/** Writes pages of which only the row has changed. One that others have written meanwhile is left to them. */
export async function rewritePages(drafts: readonly PageDraft[], crawl: Crawl): Promise<void> {
  const written = [...(await writePages(drafts, crawl.writer.pages, crawl)).values()];
  if (written.includes('revoked')) throw new LostLease();
  if (written.includes('overtaken')) crawl.writer.revisions.drop();
}
