import { defined } from '../../../text/defined.ts';
import { normaliseUrl, urlHash } from '../../../text/web/url.ts';
import { everyItem } from '../../every-item.ts';
import type { Key, Listing, TableReader } from '../../ports/table.ts';
import { unknownCursor } from '../../unknown-cursor.ts';
import { type CrawlJob, hasEnded } from './job.ts';
import { unvisitedReason, unvisitedUrls } from './outcome-counts.ts';
import type { Outcome, Reason } from './outcomes.ts';
import { isUnlisted, type JobUrl, jobUrlKey, URLS } from './url-rows.ts';

export type JobPagesQuery = {
  readonly outcome?: Outcome | undefined;
  readonly reason?: Reason | undefined;
  readonly url?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

/**
 * Lists each URL of a job once, with its outcome. URLs still queued when the job ended are listed as skipped. The
 * target of a duplicate is the page that is indexed now, even if that has replaced another since.
 */
export async function jobPages(job: CrawlJob, query: JobPagesQuery, table: TableReader): Promise<Listing<JobUrl>> {
  await assertGiven(job, query, table);
  const page =
    query.url === undefined ? await listed(job, query, table) : { items: await single(job, query.url, table) };
  const items = page.items.map((row) => withOutcome(row, job)).filter((row) => matches(row, query));
  return { ...page, items: await withLastTargets(items, job, table) };
}

async function single({ jobId }: CrawlJob, written: string, table: TableReader): Promise<readonly JobUrl[]> {
  const url = normaliseUrl(written);
  const row = url === undefined ? undefined : await table.get<JobUrl>(jobUrlKey(jobId, urlHash(url)));
  return row ? [row] : [];
}

/**
 * Lists all rows. With an outcome or a reason, it lists the rows of that outcome, and queued ones if they count as it.
 */
async function listed(job: CrawlJob, query: JobPagesQuery, table: TableReader): Promise<Listing<JobUrl>> {
  const { limit, cursor } = query;
  const pk = `JOB#${job.jobId}`;
  if (!isFiltered(query)) return table.query<JobUrl>(pk, { prefix: URLS, ...rangeAfter(cursor), limit });
  if (isUnlisted(query.outcome)) return scannedRows(job, query, table);
  const ended: EndedUrls = cursor?.startsWith(UNVISITED) ? { items: [] } : await endedUrls(job, query, table);
  if (ended.next !== undefined || !mayBeUnvisited(query, job)) return ended;
  if (ended.items.length === limit && ended.last !== undefined) return { ...ended, next: ended.last };
  const unvisited = await scannedRows(job, { ...query, limit: limit - ended.items.length }, table);
  return { ...unvisited, items: [...ended.items, ...unvisited.items] };
}

/** `last` is the sort key of the last item. */
type EndedUrls = Listing<JobUrl> & { readonly last?: string | undefined };

async function endedUrls(
  { jobId }: CrawlJob,
  { outcome, reason, limit, cursor }: JobPagesQuery,
  table: TableReader,
): Promise<EndedUrls> {
  const prefix = outcomePrefix(outcome, reason);
  const page = await table.query(`JOB#${jobId}`, { prefix, ...rangeAfter(cursor), limit });
  const keys = page.items.map(({ sk }) => jobUrlKey(jobId, sk.slice(-HASH_CHARACTERS)));
  const items = (await table.getMany<JobUrl>(keys)).filter((row) => row !== undefined);
  return { ...page, items, last: page.items.at(-1)?.sk };
}

/** Maximum number of rows that one request reads. A longer search continues with the next page of the list. */
const MAX_ROWS_READ = 20_000;
/** Prefix of the cursors of URLs without an outcome. It tells them from the cursors of ended URLs. */
const UNVISITED = 'UNVISITED#';

/** Reads all `URL#` rows, because URLs that are indexed, unchanged or without an outcome have no second row. */
async function scannedRows(
  { jobId }: CrawlJob,
  { outcome, limit, cursor }: JobPagesQuery,
  table: TableReader,
): Promise<Listing<JobUrl>> {
  const [wanted, prefix] = isUnlisted(outcome) ? [outcome, `${outcomePrefix(outcome)}#`] : [undefined, UNVISITED];
  const after = cursor?.startsWith(prefix) ? URLS + cursor.slice(-HASH_CHARACTERS) : undefined;
  const items: (JobUrl & Key)[] = [];
  let read = 0;
  for await (const row of everyItem<JobUrl>(table, `JOB#${jobId}`, URLS, after)) {
    const isWanted = row.outcome === wanted;
    if (isWanted && items.length < limit) items.push(row);
    else if (isWanted || read >= MAX_ROWS_READ) {
      const { sk } = isWanted ? (items.at(-1) ?? row) : row;
      return { items, next: prefix + sk.slice(URLS.length) };
    }
    read++;
  }
  return { items };
}

const CURSOR = /^(?:URL#|UNVISITED#|OUTCOME#[a-z]+#[a-z0-9_]*#)(?<hash>[0-9a-f]{32})$/;

type Filter = Pick<JobPagesQuery, 'outcome' | 'reason'>;

const isFiltered = ({ outcome, reason }: Filter): boolean => outcome !== undefined || reason !== undefined;

const mayBeUnvisited = ({ outcome = 'skipped', reason }: Filter, job: CrawlJob): boolean =>
  outcome === 'skipped' && (reason ?? unvisitedReason(job)) === unvisitedReason(job) && unvisitedUrls(job) > 0;

/** Returns the prefixes of sort keys that a list may read. */
function prefixesOf({ outcome, reason }: Filter): readonly string[] {
  if (!isFiltered({ outcome, reason })) return [URLS];
  return [outcomePrefix(outcome, reason), ...(outcome === undefined || outcome === 'skipped' ? [UNVISITED] : [])];
}

/** Throws unless a cursor is the sort key of a URL of the job, in a range of the list. The URL may have moved since. */
async function assertGiven(
  { jobId, pagesForgotten }: CrawlJob,
  query: JobPagesQuery,
  table: TableReader,
): Promise<void> {
  const { url, cursor } = query;
  if (cursor === undefined) return;
  const hash = CURSOR.exec(cursor)?.groups?.hash;
  const isOfList = url === undefined && prefixesOf(query).some((prefix) => cursor.startsWith(prefix));
  if (!isOfList || hash === undefined) throw unknownCursor();
  if (!pagesForgotten && !(await table.get(jobUrlKey(jobId, hash)))) throw unknownCursor();
}

const rangeAfter = (after: string | undefined) => (after === undefined ? {} : { after });

const HASH_CHARACTERS = 32;

const outcomePrefix = (outcome: Outcome | undefined, reason?: Reason): string =>
  outcome === undefined ? 'OUTCOME#' : `OUTCOME#${outcome}#${reason === undefined ? '' : `${reason}#`}`;

function withOutcome(row: JobUrl, job: CrawlJob): JobUrl {
  if (row.outcome !== undefined || !hasEnded(job)) return row;
  return { ...row, outcome: 'skipped', reason: unvisitedReason(job) };
}

/** Number of changes of a text's owner that are followed. */
const MAX_OWNERS = 20;

async function withLastTargets(rows: readonly JobUrl[], job: CrawlJob, table: TableReader): Promise<readonly JobUrl[]> {
  const targets = await lastTargets(rows, job, table);
  return rows.map((row) => {
    const target = targets.get(row.url);
    return target === undefined ? row : { ...row, target };
  });
}

/** Returns the targets of duplicates by URL. If a target became a duplicate itself, its own target is followed. */
export async function lastTargets(
  rows: readonly JobUrl[],
  { jobId }: Pick<CrawlJob, 'jobId'>,
  table: TableReader,
): Promise<ReadonlyMap<string, string | undefined>> {
  const targets = new Map(rows.map((row) => [row.url, row.outcome === 'duplicate' ? row.target : undefined]));
  for (let step = 0; step < MAX_OWNERS; step++) {
    const urls = [...new Set([...targets.values()])].filter((url) => url !== undefined);
    const owners = await table.getMany<JobUrl>(urls.map((url) => jobUrlKey(jobId, urlHash(url))));
    const next = new Map(
      owners.flatMap((row) => (row?.outcome === 'duplicate' ? [[row.url, row.target] as const] : [])),
    );
    if (next.size === 0) break;
    for (const [url, target = ''] of targets) if (next.has(target)) targets.set(url, next.get(target));
  }
  return targets;
}

const matches = (row: JobUrl, { outcome, reason }: JobPagesQuery): boolean =>
  (outcome === undefined || row.outcome === outcome) && (reason === undefined || row.reason === reason);

export const jobPageView = ({ url, outcome, reason, status, depth, foundOn, target, nearDuplicateOf }: JobUrl) => ({
  url,
  ...defined({ outcome }),
  ...(reason !== undefined && { reason: reason as Reason }),
  ...defined({ status }),
  depth,
  ...defined({ foundOn, target, nearDuplicateOf }),
});
