import type { Queue } from '../ports/queue.ts';

/** Asks for the removal of what a deletion, a purge or older crawls of a site have left. */
export const sendCleanUp = (siteId: string, queue: Queue, delaySeconds = 0): Promise<void> =>
  queue.send('clean-up', { body: JSON.stringify({ siteId }), delaySeconds });
