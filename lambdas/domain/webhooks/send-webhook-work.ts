import { UnavailableError } from '../errors.ts';
import type { Queue } from '../ports/queue.ts';
import type { DeliveryRef } from './delivery.ts';

/** Asks a worker to turn the events of a site into deliveries. */
export const sendEvents = (siteId: string, queue: Queue): Promise<void> => sendWork({ siteId }, queue);

/** Call it after events were written. If the message cannot be sent, the watchdog sends it. */
export async function announceEvents(siteId: string, queue: Queue): Promise<void> {
  try {
    await sendEvents(siteId, queue);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
}

export const sendDelivery = (ref: DeliveryRef & { readonly attempt: number }, queue: Queue, delaySeconds = 0) =>
  sendWork(ref, queue, delaySeconds);

const sendWork = (work: object, queue: Queue, delaySeconds = 0): Promise<void> =>
  queue.send('webhooks', { body: JSON.stringify(work), delaySeconds });
