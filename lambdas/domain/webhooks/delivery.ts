import { everyItem } from '../every-item.ts';
import type { Queue } from '../ports/queue.ts';
import type { Change, Item, Key, Listing, Table, TableReader } from '../ports/table.ts';
import type { SiteEvent } from './outbox.ts';
import type { EventType, TEST_EVENT } from './webhook.ts';

/** One event for one webhook. The body is the same in every attempt. */
export type Delivery = {
  readonly siteId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: EventType | typeof TEST_EVENT;
  readonly url: string;
  readonly body: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly createdAt: number;
  readonly attempts: number;
  readonly lastAttemptAt?: number;
  /** Status of the last attempt, if the server responded. */
  readonly httpStatus?: number;
  readonly error?: string;
  readonly nextAttemptAt?: number;
};

export type DeliveryRef = { readonly siteId: string; readonly deliveryId: string };

/** Number of deliveries shown and kept for each site. Older ones are removed once they have ended. */
export const KEPT_DELIVERIES = 50;
/** Number of deliveries removed at once. If there are more, the next event removes the rest. */
const MAX_REMOVED = 200;

const LOG = 'DELIVERY#';
const CREATED_DIGITS = 12;

/** Returns an id that sorts by time. */
export const deliveryIdOf = ({ createdAt, eventId, webhookId }: Delivery): string =>
  `${String(createdAt).padStart(CREATED_DIGITS, '0')}#${eventId}#${webhookId}`;

export const deliveryKey = ({ siteId, deliveryId }: DeliveryRef): Key => ({
  pk: `SITE#${siteId}`,
  sk: LOG + deliveryId,
});

/** Partition of the items of deliveries that have not ended, for the watchdog. */
const PENDING = 'DELIVERIES';
export type PendingDelivery = DeliveryRef & { readonly attempt: number; readonly nextAttemptAt: number };
export const pendingDeliveryKey = ({ siteId, deliveryId }: DeliveryRef): Key => ({
  pk: PENDING,
  sk: `SITE#${siteId}#${deliveryId}`,
});
export const pendingDeliveries = (table: Table) => everyItem<PendingDelivery>(table, PENDING, '');

export const pendingDelivery = (pending: PendingDelivery): Item => ({ ...pendingDeliveryKey(pending), ...pending });

/** Sends a message that makes a worker attempt the delivery. */
export const sendDelivery = (
  ref: DeliveryRef & { readonly attempt: number },
  queue: Queue,
  delaySeconds = 0,
): Promise<void> => queue.send('webhooks', { body: JSON.stringify(ref), delaySeconds });

/** Returns the changes that add a delivery and its pending item. */
export function addDelivery(delivery: Delivery): readonly [Change, Change] {
  const ref = { siteId: delivery.siteId, deliveryId: deliveryIdOf(delivery) };
  return [
    { put: { ...deliveryKey(ref), ...delivery } },
    { put: pendingDelivery({ ...ref, attempt: 0, nextAttemptAt: delivery.createdAt }) },
  ];
}

export const newDelivery = (
  { siteId, eventId, type, occurredAt }: Pick<SiteEvent, 'siteId' | 'eventId' | 'occurredAt'> & Pick<Delivery, 'type'>,
  { webhookId, url }: Pick<Delivery, 'webhookId' | 'url'>,
  data: object,
): Delivery => ({
  siteId,
  webhookId,
  eventId,
  type,
  url,
  body: JSON.stringify({ type, timestamp: new Date(occurredAt * 1000).toISOString(), data }),
  status: 'pending',
  createdAt: occurredAt,
  attempts: 0,
});

/** Lists the last deliveries, newest first. */
export const lastDeliveries = (siteId: string, table: TableReader): Promise<Listing<Delivery>> =>
  table.query<Delivery>(`SITE#${siteId}`, { prefix: LOG, descending: true, limit: KEPT_DELIVERIES });

export async function forgetOldDeliveries(siteId: string, table: Table): Promise<void> {
  const { next } = await lastDeliveries(siteId, table);
  if (next === undefined) return;
  const range = { prefix: LOG, descending: true, limit: MAX_REMOVED, after: next };
  const old = await table.query<Delivery>(`SITE#${siteId}`, range);
  await table.removeMany(old.items.filter(({ status }) => status !== 'pending'));
}

/** Returns a delivery without the message itself. */
export const deliveryView = ({ pk, sk, siteId, body, ...shown }: Delivery & Partial<Key>) => shown;
