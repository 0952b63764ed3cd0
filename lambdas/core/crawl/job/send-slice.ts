import type { Queue } from '../../ports/queue.ts';
import type { CrawlJob } from './job.ts';

/** The message of the crawl queue. */
export type CrawlSlice = Pick<CrawlJob, 'siteId' | 'jobId' | 'slice'>;

export const sendSlice = ({ siteId, jobId, slice }: CrawlSlice, queue: Queue): Promise<void> =>
  queue.send('crawl', {
    body: JSON.stringify({ siteId, jobId, slice }),
    group: siteId,
    deduplicationId: `${jobId}#${slice}`,
  });
