import { everyItem } from '../../every-item.ts';
import { pageKey, type RegisteredPage } from '../../pages/page-registry.ts';
import { urlHash } from '../../web/url.ts';
import type { Frontier } from '../frontier/frontier.ts';
import { type EndedUrl, type JobUrl, jobUrlKey, outcomePrefix } from '../frontier/frontier-rows.ts';
import type { Outcome } from '../job/outcomes.ts';
import type { Slice } from '../job/slice.ts';
import { hasText } from './duplicates.ts';

/** A longer chain of canonicals and redirects leads nowhere. */
const MAX_HOPS = 5;
/** A text owner that hands over to a better page adds a link to the chain. This happens few times for one text. */
const MAX_OWNERS = 50;
const WITH_PAGE: ReadonlySet<Outcome> = new Set<Outcome>(['indexed', 'unchanged', 'duplicate']);

/**
 * Requeues pages that were skipped because of their canonical, or as duplicates, if that canonical or text owner turned
 * out to be unusable: gone, failing, forbidden, cyclic, unknown or changed. They are indexed themselves then.
 */
export async function requeueOrphans(slice: Slice, frontier: Frontier): Promise<void> {
  const orphans: EndedUrl[] = [];
  for await (const row of endedAs('skipped', 'canonical', slice))
    if (!(await leadsToPage(row, slice))) orphans.push(row);
  for await (const row of endedAs('duplicate', '', slice)) if (!(await hasOwner(row, slice))) orphans.push(row);
  await frontier.reopen(orphans, { isOrphaned: true });
}

async function* endedAs(outcome: 'skipped' | 'duplicate', reason: string, { job, table }: Slice) {
  for await (const { sk } of everyItem(table, `JOB#${job.jobId}`, outcomePrefix(outcome, reason))) {
    const row = await table.get<EndedUrl>(jobUrlKey(job.jobId, sk.slice(sk.lastIndexOf('#') + 1)));
    if (row) yield row;
  }
}

/** Also true for a chain that leads to a queued URL: its outcome decides in a later pass. */
async function leadsToPage({ target }: JobUrl, { job, table }: Slice): Promise<boolean> {
  let next = target;
  for (let hop = 0; hop < MAX_HOPS && next !== undefined; hop++) {
    const row: JobUrl | undefined = await table.get<JobUrl>(jobUrlKey(job.jobId, urlHash(next)));
    if (!row) return false;
    if (row.outcome === undefined || WITH_PAGE.has(row.outcome)) return true;
    next = row.target;
  }
  return false;
}

/** Whether a page still owns the text of a duplicate. The duplicate's target becomes the last owner of the chain. */
async function hasOwner(duplicate: EndedUrl, slice: Slice): Promise<boolean> {
  const { job, table } = slice;
  const { siteId, generation, jobId } = job;
  const { textHash = '', target = duplicate.url } = duplicate;
  let owner = target;
  let row: JobUrl | undefined;
  for (let step = 0; step < MAX_OWNERS; step++) {
    row = await table.get<JobUrl>(jobUrlKey(jobId, urlHash(owner)));
    if (row?.outcome !== 'duplicate' || row.textHash !== textHash || row.target === undefined) break;
    owner = row.target;
  }
  const page = await table.get<RegisteredPage>(pageKey(siteId, generation, { url: owner, urlHash: urlHash(owner) }));
  const isKnown = row !== undefined || page?.source === 'ingest';
  if (!page || !isKnown || !hasText(textHash, page, row)) return false;
  if (owner !== target)
    await slice.write([{ update: jobUrlKey(jobId, urlHash(duplicate.url)), set: { target: owner } }]);
  return true;
}
