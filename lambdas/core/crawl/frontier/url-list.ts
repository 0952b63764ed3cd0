import { everyItem } from '../../every-item.ts';
import type { Item, Table } from '../../ports/table.ts';
import { urlParts } from '../../sites/crawl-urls.ts';
import { type CrawlJob, jobKey } from '../job/job.ts';
import { holdsLease, writeUnderLease } from '../job/slice.ts';
import type { Frontier } from './frontier.ts';

/** Longer than any job lives: what a start left behind that came to nothing goes by itself. */
const LIFE_SECONDS = 14 * 24 * 3600;
const PREFIX = 'LISTED#';

/** The items that give a job its URLs. */
export function listItems(jobId: string, urls: readonly string[], now: number): readonly Item[] {
  return urlParts(urls).map((part, place) => ({
    pk: `JOB#${jobId}`,
    sk: PREFIX + String(place).padStart(4, '0'),
    urls: part,
    expiresAt: now + LIFE_SECONDS,
  }));
}

/** Queues the URLs that a job was given. A part goes when it is queued, so a later slice finds only what is left to do. */
export async function queueListed(job: CrawlJob, frontier: Frontier, table: Table): Promise<void> {
  if (job.listedBy === undefined) return;
  for await (const { pk, sk, urls } of everyItem<{ urls: readonly string[] }>(table, `JOB#${job.jobId}`, PREFIX)) {
    await frontier.add(urls.map((url, place) => ({ url, depth: 0, place })));
    await writeUnderLease([{ check: jobKey(job.jobId), when: holdsLease(job) }, { remove: { pk, sk } }], table);
  }
}
