import { everyItem } from '../../every-item.ts';
import type { Item } from '../../ports/table.ts';
import { urlParts } from '../../sites/crawl-urls.ts';
import type { Slice } from '../job/slice.ts';
import type { Frontier } from './frontier.ts';

/** Longer than any job lives: items of a job that could not be started expire. */
const LIFE_SECONDS = 14 * 24 * 3600;
const PREFIX = 'LISTED#';

export function listItems(jobId: string, urls: readonly string[], now: number): readonly Item[] {
  return urlParts(urls).map((part, index) => ({
    pk: `JOB#${jobId}`,
    sk: PREFIX + String(index).padStart(4, '0'),
    urls: part,
    expiresAt: now + LIFE_SECONDS,
  }));
}

/** Enqueues the URL list of a job. A queued part is removed, so a later slice goes on from there. */
export async function queueListed(slice: Slice, frontier: Frontier): Promise<void> {
  const { jobId, listedBy } = slice.job;
  if (listedBy === undefined) return;
  for await (const { pk, sk, urls } of everyItem<{ urls: readonly string[] }>(slice.table, `JOB#${jobId}`, PREFIX)) {
    await frontier.add(urls.map((url, position) => ({ url, depth: 0, position })));
    await slice.write([{ remove: { pk, sk } }]);
  }
}
