import { urlHash } from '../../../text/web/url.ts';
import { everyItem } from '../../every-item.ts';
import type { ResolvedDuplicates } from '../duplicates/resolve-duplicates.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { Outcome } from '../jobs/outcomes.ts';
import type { Slice } from '../jobs/slice.ts';
import { type EndedUrl, type JobUrl, jobUrlKey, outcomePrefix } from '../jobs/url-rows.ts';

/** Maximum hops in a chain of canonicals and redirects; a longer one counts as leading nowhere. */
const MAX_HOPS = 5;
const WITH_PAGE: ReadonlySet<Outcome> = new Set<Outcome>(['indexed', 'unchanged', 'duplicate']);

/**
 * Requeues pages that were skipped for their canonical, or as duplicates, if that canonical or text owner turned out to
 * be unusable: gone, failing, forbidden, cyclic, unknown or changed. Such pages are then indexed themselves. Also
 * requeues duplicates that are better than their text owner, which they replace.
 */
export async function requeueOrphans(
  slice: Slice,
  frontier: Frontier,
  { orphans, better }: Pick<ResolvedDuplicates, 'orphans' | 'better'>,
): Promise<void> {
  const skipped: EndedUrl[] = [];
  for await (const row of skippedForCanonical(slice)) if (!(await leadsToPage(row, slice))) skipped.push(row);
  await frontier.reopen([...skipped, ...orphans], { isOrphaned: true });
  await frontier.reopen(better, {});
}

async function* skippedForCanonical({ job, table }: Slice) {
  const prefix = outcomePrefix('skipped', 'canonical');
  for await (const { sk } of everyItem(table, `JOB#${job.jobId}`, prefix)) {
    const row = await table.get<EndedUrl>(jobUrlKey(job.jobId, sk.slice(prefix.length)));
    if (row) yield row;
  }
}

/** Returns whether the chain of targets leads to a page, or to a queued URL, whose outcome decides in a later pass. */
export async function leadsToPage(
  { target }: Pick<JobUrl, 'target'>,
  { job, table }: Pick<Slice, 'job' | 'table'>,
): Promise<boolean> {
  let next = target;
  for (let hop = 0; hop < MAX_HOPS && next !== undefined; hop++) {
    const row: JobUrl | undefined = await table.get<JobUrl>(jobUrlKey(job.jobId, urlHash(next)));
    if (!row) return false;
    if (row.outcome === undefined || WITH_PAGE.has(row.outcome)) return true;
    next = row.target;
  }
  return false;
}
