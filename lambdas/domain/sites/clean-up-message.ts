import { UnavailableError } from '../errors.ts';
import type { Queue } from '../ports/queue.ts';

export type CleanUp = {
  readonly siteId: string;
  /** Messages of the same deletion or purge before this one. */
  readonly step?: number | undefined;
};

/** Asks for the removal of what a deletion, a purge or crawls of a site have left. */
export const sendCleanUp = (cleanUp: CleanUp, queue: Queue, delaySeconds = 0): Promise<void> =>
  queue.send('clean-up', { body: JSON.stringify(cleanUp), delaySeconds });

/**
 * Call it after a purge or the end of a job. If the message cannot be sent, the watchdog or the next job sends another.
 */
export async function announceCleanUp(siteId: string, queue: Queue): Promise<void> {
  try {
    await sendCleanUp({ siteId }, queue);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
}
