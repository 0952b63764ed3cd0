import type { Listing, Table } from '../../ports/table.ts';
import { normaliseUrl, urlHash } from '../../web/url.ts';
import { type JobUrl, jobUrlKey, POSTPONED, QUEUED } from '../frontier/frontier-rows.ts';
import { type CrawlJob, hasEnded } from './job.ts';
import type { Outcome, Reason } from './outcomes.ts';

export type JobPagesQuery = {
  readonly outcome?: Outcome | undefined;
  readonly reason?: Reason | undefined;
  readonly url?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

/** Each URL of a job once, with its outcome. URLs still queued when the job ended read as skipped. */
export async function jobPages(job: CrawlJob, query: JobPagesQuery, table: Table): Promise<Listing<JobUrl>> {
  const page =
    query.url === undefined ? await listed(job, query, table) : { items: await single(job, query.url, table) };
  return { ...page, items: page.items.map((row) => withOutcome(row, job)).filter((row) => matches(row, query)) };
}

async function single({ jobId }: CrawlJob, written: string, table: Table): Promise<readonly JobUrl[]> {
  const url = normaliseUrl(written);
  const row = url === undefined ? undefined : await table.get<JobUrl>(jobUrlKey(jobId, urlHash(url)));
  return row ? [row] : [];
}

/** Without an outcome or reason all rows; else the outcome's rows, and queued ones if they may read as that outcome. */
async function listed(
  job: CrawlJob,
  { outcome, reason, limit, cursor }: JobPagesQuery,
  table: Table,
): Promise<Listing<JobUrl>> {
  const pk = `JOB#${job.jobId}`;
  if (outcome === undefined && reason === undefined)
    return table.query<JobUrl>(pk, { prefix: 'URL#', ...rangeAfter(cursor), limit });
  const mayBeQueued = outcome === undefined || outcome === 'skipped';
  const prefixes = [outcomePrefix(outcome, reason), ...(mayBeQueued ? [POSTPONED, QUEUED] : [])].sort();
  const pointers: string[] = [];
  let after = cursor;
  let hasMore = false;
  for (const prefix of prefixes) {
    if (after !== undefined && after >= `${prefix}~`) continue; // the previous part ended in a later range
    const page = await table.query(pk, {
      prefix,
      ...rangeAfter(after?.startsWith(prefix) ? after : undefined),
      limit: limit - pointers.length,
    });
    pointers.push(...page.items.map(({ sk }) => sk));
    after = pointers.at(-1);
    hasMore = page.next !== undefined || pointers.length === limit;
    if (hasMore) break;
  }
  const rows = await table.getMany<JobUrl>(pointers.map((sk) => jobUrlKey(job.jobId, sk.slice(-HASH_CHARACTERS))));
  const next = hasMore ? pointers.at(-1) : undefined;
  return { items: rows.filter((row) => row !== undefined), ...(next !== undefined && { next }) };
}

const rangeAfter = (after: string | undefined) => (after === undefined ? {} : { after });

const HASH_CHARACTERS = 32;

const outcomePrefix = (outcome: Outcome | undefined, reason: Reason | undefined): string =>
  outcome === undefined ? 'OUTCOME#' : `OUTCOME#${outcome}#${reason === undefined ? '' : `${reason}#`}`;

function withOutcome(row: JobUrl, job: CrawlJob): JobUrl {
  if (row.outcome !== undefined || !hasEnded(job)) return row;
  return { ...row, outcome: 'skipped', reason: job.status === 'cancelled' ? 'cancelled' : 'over_limit' };
}

const matches = (row: JobUrl, { outcome, reason }: JobPagesQuery): boolean =>
  (outcome === undefined || row.outcome === outcome) && (reason === undefined || row.reason === reason);

export const jobPageView = ({ url, outcome, reason, status, depth, foundOn, target }: JobUrl) => ({
  url,
  ...(outcome !== undefined && { outcome }),
  ...(reason !== undefined && { reason: reason as Reason }),
  ...(status !== undefined && { status }),
  depth,
  ...(foundOn !== undefined && { foundOn }),
  ...(target !== undefined && { target }),
});
