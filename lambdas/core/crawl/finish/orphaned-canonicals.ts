import { everyItem } from '../../every-item.ts';
import { pageKey, type RegisteredPage } from '../../pages/page-registry.ts';
import type { Table } from '../../ports/table.ts';
import { urlHash } from '../../web/url.ts';
import { hasText } from '../commit/duplicates.ts';
import type { Frontier } from '../frontier/frontier.ts';
import { type EndedUrl, type JobUrl, jobUrlKey, outcomePrefix } from '../frontier/frontier-rows.ts';
import { type CrawlJob, jobKey } from '../job/job.ts';
import { holdsLease, writeUnderLease } from '../job/slice.ts';

/** A chain of canonicals and redirects that is longer leads nowhere. */
const MOST_HOPS = 5;
/** Each better page that takes a text over adds a link to the chain; of many in any order few do. */
const MOST_OWNERS = 50;
const HELD: ReadonlySet<string> = new Set(['indexed', 'unchanged', 'duplicate']);

/**
 * A page was left to another that it named as canonical, or that has its text. Where that one turned out to be gone, failing, forbidden, a
 * circle, nowhere linked or no longer the same, the page speaks for itself: it is queued once more.
 */
export async function requeueOrphans(job: CrawlJob, frontier: Frontier, table: Table): Promise<void> {
  const lost: EndedUrl[] = [];
  for await (const met of endedAs('skipped', 'canonical', job, table))
    if (!(await leadsToPage(met, job, table))) lost.push(met);
  for await (const met of endedAs('duplicate', '', job, table))
    if (!(await isHeldElsewhere(met, job, table))) lost.push(met);
  await frontier.reopen(lost, { isOrphaned: true });
}

async function* endedAs(outcome: 'skipped' | 'duplicate', reason: string, { jobId }: CrawlJob, table: Table) {
  for await (const { sk } of everyItem(table, `JOB#${jobId}`, outcomePrefix(outcome, reason))) {
    const met = await table.get<EndedUrl>(jobUrlKey(jobId, sk.slice(sk.lastIndexOf('#') + 1)));
    if (met) yield met;
  }
}

/** Or to one that is queued: that is told when it has ended. It may have been queued by a write of this pass whose answer was lost. */
async function leadsToPage({ target }: JobUrl, { jobId }: CrawlJob, table: Table): Promise<boolean> {
  let next = target;
  for (let hop = 0; hop < MOST_HOPS && next !== undefined; hop++) {
    const met: JobUrl | undefined = await table.get<JobUrl>(jobUrlKey(jobId, urlHash(next)));
    if (!met) return false;
    if (met.outcome === undefined || HELD.has(met.outcome)) return true;
    next = met.target;
  }
  return false;
}

/** Whether the page that stands for a duplicate still does. The duplicate is told which one that is in the end. */
async function isHeldElsewhere(met: EndedUrl, job: CrawlJob, table: Table): Promise<boolean> {
  const { siteId, generation, jobId } = job;
  const { textHash = '', target = met.url } = met;
  let owner = target;
  let end: JobUrl | undefined;
  for (let step = 0; step < MOST_OWNERS; step++) {
    end = await table.get<JobUrl>(jobUrlKey(jobId, urlHash(owner)));
    if (end?.outcome !== 'duplicate' || end.textHash !== textHash || end.target === undefined) break;
    owner = end.target;
  }
  const row = await table.get<RegisteredPage>(pageKey(siteId, generation, { url: owner, urlHash: urlHash(owner) }));
  const isMet = end !== undefined || row?.source === 'ingest';
  if (!row || !isMet || !hasText(textHash, row, end)) return false;
  if (owner !== target) await retarget(met, owner, job, table);
  return true;
}

async function retarget(met: EndedUrl, target: string, job: CrawlJob, table: Table): Promise<void> {
  const key = jobUrlKey(job.jobId, urlHash(met.url));
  await writeUnderLease(
    [
      { check: jobKey(job.jobId), when: holdsLease(job) },
      { update: key, set: { target } },
    ],
    table,
  );
}
