import type { Queue } from '../../ports/queue.ts';
import type { CrawlJob } from './job.ts';

/** The message of the crawl queues. */
export type CrawlSlice = Pick<CrawlJob, 'siteId' | 'jobId' | 'slice'>;

/** A job that may show pages stays on the queue whose worker has a browser. */
export function sendSlice(
  { siteId, jobId, slice, config }: CrawlSlice & Pick<CrawlJob, 'config'>,
  queue: Queue,
): Promise<void> {
  const body = JSON.stringify({ siteId, jobId, slice });
  const message = { body, group: siteId, deduplicationId: `${jobId}#${slice}` };
  return config.javascriptEnabled === false ? queue.send('crawl', message) : queue.send('render', message);
}
