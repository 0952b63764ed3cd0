import { UnavailableError } from '../errors.ts';
import { everyItem } from '../every-item.ts';
import type { Queue } from '../ports/queue.ts';
import type { Change, Item, Key, Table } from '../ports/table.ts';
import type { EventType } from './webhook.ts';

/*
 * An event of a site is an item, written in the transaction of the change that it announces, so it is neither lost nor
 * doubled. A worker turns it into one delivery for each webhook (docs/decisions/029-traces-and-webhooks.md).
 */

export type SiteEvent = {
  readonly siteId: string;
  /** The id in the header `webhook-id`: one for each event, however often it is sent. */
  readonly eventId: string;
  readonly type: EventType;
  /** Epoch seconds. */
  readonly occurredAt: number;
  /** The job or review of the event. */
  readonly subjectId: string;
};

const OUTBOX = 'OUTBOX';
const prefixOf = (siteId: string): string => `SITE#${siteId}#`;

export const outboxKey = ({ siteId, eventId }: Pick<SiteEvent, 'siteId' | 'eventId'>): Key => ({
  pk: OUTBOX,
  sk: prefixOf(siteId) + eventId,
});

/** Returns a change for the transaction that makes the event true. */
export function addEvent(event: Omit<SiteEvent, 'eventId'>): Change {
  const whole = { ...event, eventId: `evt_${event.subjectId}` };
  return { put: { ...outboxKey(whole), ...whole } };
}

export const eventsOf = (siteId: string, table: Table): AsyncGenerator<SiteEvent & Item> =>
  everyItem<SiteEvent>(table, OUTBOX, prefixOf(siteId));

export const everyEvent = (table: Table): AsyncGenerator<SiteEvent & Item> => everyItem<SiteEvent>(table, OUTBOX, '');

/** Sends a message that makes a worker turn the site's events into deliveries. */
export const sendWebhookEvents = (siteId: string, queue: Queue): Promise<void> =>
  queue.send('webhooks', { body: JSON.stringify({ siteId }) });

/** Announces events after they were written. If the message cannot be sent, the watchdog sends it. */
export async function announceEvents(siteId: string, queue: Queue): Promise<void> {
  try {
    await sendWebhookEvents(siteId, queue);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
}
