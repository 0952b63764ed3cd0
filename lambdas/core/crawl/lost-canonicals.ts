import type { Table } from '../../adapters/ports.ts';
import { everyItem } from '../every-item.ts';
import { urlHash } from '../web/url.ts';
import { type Frontier, type MetUrl, metUrlKey, outcomePrefix } from './frontier.ts';
import type { CrawlJob } from './job.ts';

/** A chain of canonicals and redirects that is longer leads nowhere. */
const MOST_HOPS = 5;
const HELD: ReadonlySet<string> = new Set(['indexed', 'unchanged', 'duplicate']);

/**
 * A page that named another as canonical was left to it. Where that one turned out to be gone, failing, forbidden or a circle, the page
 * speaks for itself: it is queued once more, its canonical ignored. Answers how many there are.
 */
export async function reopenLostCanonicals(job: CrawlJob, frontier: Frontier, table: Table): Promise<number> {
  const lost: MetUrl[] = [];
  for await (const { sk } of everyItem(table, `JOB#${job.jobId}`, outcomePrefix('skipped', 'canonical'))) {
    const met = await table.get<MetUrl>(metUrlKey(job.jobId, sk.slice(sk.lastIndexOf('#') + 1)));
    if (met && !(await leadsToPage(met, job, table))) lost.push(met);
  }
  await frontier.reopen(lost);
  return lost.length;
}

async function leadsToPage({ target }: MetUrl, { jobId }: CrawlJob, table: Table): Promise<boolean> {
  let next = target;
  for (let hop = 0; hop < MOST_HOPS && next !== undefined; hop++) {
    const met: MetUrl | undefined = await table.get<MetUrl>(metUrlKey(jobId, urlHash(next)));
    if (met?.outcome !== undefined && HELD.has(met.outcome)) return true;
    next = met?.target;
  }
  return false;
}
