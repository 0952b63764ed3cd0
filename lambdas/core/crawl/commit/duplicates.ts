import { everyItem } from '../../every-item.ts';
import { type RegisteredPage, readRows, textKey } from '../../pages/page-registry.ts';
import type { PageDeps } from '../../pages/page-writer.ts';
import { pendingItem } from '../../pages/pending-writes.ts';
import { type MarkedPage, markedPage, markedRow, removeMarkedPages } from '../../pages/remove-pages.ts';
import type { Change, Key, Table } from '../../ports/table.ts';
import { demoteChanges, type Ending, type JobUrl, jobUrlKey, type QueuedUrl } from '../frontier/frontier-rows.ts';
import { type CrawlJob, jobKey } from '../job/job.ts';
import { holdsLease, LostLease } from '../job/slice.ts';

/*
 * Of all pages with the same text one is indexed: the text's owner. The others end as `duplicate`. When a job finds a
 * better owner than a page that it has indexed, that page becomes a duplicate: it is marked for removal in the write
 * that ends the visit of the better page, and removed afterwards, by this slice or a later one.
 */

/** The item of a text: which page owns it, and in which job and at which depth it was found. */
type TextClaim = Pick<RegisteredPage, 'url' | 'urlHash'> & { readonly jobId?: string; readonly depth?: number };

/** The one page that is indexed of all pages with the same text. */
export type TextOwner = TextClaim & {
  /** Its row and how its URL ended, if this job has indexed it or found it unchanged: it can become a duplicate. */
  readonly demotable?: { readonly row: RegisteredPage; readonly was: Ending };
  /** This job has not visited it yet, or will again: it may be gone or have another text. */
  readonly isUnsure?: boolean;
};

type Site = Pick<CrawlJob, 'siteId' | 'generation' | 'jobId'>;

/** The change that makes a page the owner of its text, so that other pages with the text end as duplicates. */
export const claimText = (
  { siteId, generation, jobId }: Site,
  { textHash, url, urlHash }: Pick<RegisteredPage, 'textHash' | 'url' | 'urlHash'>,
  { depth }: Pick<QueuedUrl, 'depth'>,
): Change => ({ put: { ...textKey(siteId, generation, textHash), url, urlHash, jobId, depth } });

export async function textOwners(
  textHashes: readonly string[],
  site: Site,
  table: Table,
): Promise<Map<string, TextOwner>> {
  const claims = await readClaims([...new Set(textHashes)], site, table);
  const pages = [...claims.values()];
  const [rows, urls] = await Promise.all([readRows(site, pages, table), readJobUrls(pages, site, table)]);
  const owners = new Map<string, TextOwner>();
  for (const [textHash, claim] of claims) {
    const row = rows.get(claim.urlHash);
    const url = urls.get(claim.urlHash);
    if (row && hasText(textHash, row, url)) owners.set(textHash, ownerOf(claim, row, url));
  }
  return owners;
}

async function readClaims(
  textHashes: readonly string[],
  { siteId, generation }: Site,
  table: Table,
): Promise<ReadonlyMap<string, TextClaim>> {
  const claims = await table.getMany<TextClaim>(textHashes.map((hash) => textKey(siteId, generation, hash)));
  return new Map(
    textHashes.flatMap((textHash, index) => {
      const claim = claims[index];
      return claim ? [[textHash, claim] as const] : [];
    }),
  );
}

async function readJobUrls(
  pages: readonly TextClaim[],
  { jobId }: Site,
  table: Table,
): Promise<ReadonlyMap<string, JobUrl>> {
  const urls = await table.getMany<JobUrl>(pages.map(({ urlHash }) => jobUrlKey(jobId, urlHash)));
  return new Map(
    pages.flatMap(({ urlHash }, index) => {
      const url = urls[index];
      return url ? [[urlHash, url] as const] : [];
    }),
  );
}

function ownerOf(claim: TextClaim, row: RegisteredPage, url: JobUrl | undefined): TextOwner {
  const isDemotable =
    row.source === 'crawl' && !row.pending && (url?.outcome === 'indexed' || url?.outcome === 'unchanged');
  const isUnsure = row.source === 'crawl' && url?.outcome === undefined;
  return { ...claim, isUnsure, ...(isDemotable && { demotable: { row, was: url as Ending } }) };
}

const KEEPS_TEXT: ReadonlySet<string> = new Set(['indexed', 'unchanged', 'failed']);

/** Whether a page has a text: by its row, unless this job has found it gone or has made it a duplicate. */
export const hasText = (textHash: string, row: RegisteredPage, url: JobUrl | undefined): boolean =>
  row.textHash === textHash && (row.source === 'ingest' || url?.outcome === undefined || KEEPS_TEXT.has(url.outcome));

/**
 * Whether a page takes the text over. Of the pages that this job has visited, the shallowest owns a text; of equally
 * deep ones the one whose URL sorts first. An owner that this job has not visited keeps it.
 */
export function isBetter(page: QueuedUrl, owner: TextOwner, { jobId }: Site): boolean {
  if (owner.demotable === undefined || owner.jobId !== jobId || owner.depth === undefined) return false;
  return page.depth < owner.depth || (page.depth === owner.depth && page.url < owner.url);
}

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

/** Names the pages that are about to be marked, in case that the job is cancelled before it has removed them. */
export async function rememberDemotions(
  revisions: ReadonlyMap<{ readonly supplants?: TextOwner | undefined }, number>,
  job: CrawlJob,
  { table, clock }: PageDeps,
): Promise<readonly Key[]> {
  const { siteId, generation, jobId } = job;
  const marked = [...revisions].flatMap(([{ supplants }, revision]) =>
    supplants?.demotable ? markedPage(supplants.demotable.row, revision) : [],
  );
  const [firstRevision] = revisions.values();
  if (marked.length === 0 || firstRevision === undefined) return [];
  const item = pendingItem({ site: { siteId, generation }, firstRevision, jobId }, marked, clock);
  const refused = await table.write([{ check: jobKey(jobId), when: holdsLease(job) }, { put: item }]);
  if (refused.length > 0) throw new LostLease();
  return [item];
}

/** Removes the pages whose demotion was begun, by this holder of the lease or another. */
export async function finishDemotions(job: CrawlJob, deps: PageDeps): Promise<void> {
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
