import type { Queue } from '../../ports/queue.ts';

/** Call it when a crawl has completed. */
export const sendHealthCheck = (siteId: string, jobId: string, queue: Queue): Promise<void> =>
  queue.send('site-health', { body: JSON.stringify({ siteId, jobId }) });
