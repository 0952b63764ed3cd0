import { UnavailableError } from '../errors.ts';
import type { Queue } from '../ports/queue.ts';

/** Asks for the removal of what a deletion, a purge or crawls of a site have left. */
export const sendCleanUp = (siteId: string, queue: Queue, delaySeconds = 0): Promise<void> =>
  queue.send('clean-up', { body: JSON.stringify({ siteId }), delaySeconds });

/** After a purge or the end of a job. If the message cannot be sent, the watchdog or the next job sends another. */
export async function announceCleanUp(siteId: string, queue: Queue): Promise<void> {
  try {
    await sendCleanUp(siteId, queue);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
}
