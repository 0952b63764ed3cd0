import { type Clock, epochSeconds, isDue } from '../clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { Table } from '../ports/table.ts';
import type { WebhookSender } from '../ports/webhook-sender.ts';
import { readSite } from '../sites/site.ts';
import {
  type Delivery,
  type DeliveryRef,
  deliveryKey,
  pendingDeliveries,
  pendingDelivery,
  pendingDeliveryKey,
  sendDelivery,
} from './delivery.ts';
import { everyEvent, sendWebhookEvents } from './outbox.ts';
import { attemptUnlessResting } from './rest.ts';
import { secondsToTurn, takeTurn } from './turn.ts';
import { siteWebhooks } from './webhook.ts';

/** Seconds to wait after each failed attempt, which makes eleven attempts in a day. */
export const RETRY_DELAYS = [5, 60, 300, 900, 1800, 3600, 7200, 14_400, 25_200, 32_400] as const;
/** Longest delay of a queued message. The watchdog sends later attempts. */
const MAX_DELAY_SECONDS = 900;
/** Lease of an attempt: nobody else makes it during that time. After a crash it is repeated. */
const LEASE_SECONDS = 60;
/** An answer with this status asks for no further attempts (Standard Webhooks). */
const GONE = 410;

export type DeliverDeps = {
  readonly table: Table;
  readonly queue: Queue;
  readonly sender: WebhookSender;
  readonly clock: Clock;
};

type Due = DeliveryRef & { readonly attempt: number };

/**
 * Makes one attempt, unless another message has made it. It is postponed while its organisation sends another message.
 */
export async function attemptDelivery(due: Due, deps: DeliverDeps): Promise<void> {
  const site = await readSite(due.siteId, deps.table);
  if (!site) return attemptNow(due, deps);
  const { orgId } = site.settings;
  const endTurn = await takeTurn(orgId, deps);
  if (!endTurn) return putOff(due, await secondsToTurn(orgId, MAX_DELAY_SECONDS, deps), deps);
  try {
    await attemptNow(due, deps);
  } finally {
    await endTurn();
  }
}

async function putOff(due: Due, seconds: number, { table, clock, queue }: DeliverDeps): Promise<void> {
  const isTaken = await table.update(pendingDeliveryKey(due), {
    set: { nextAttemptAt: epochSeconds(clock) + seconds },
    when: { exists: true, equals: { attempt: due.attempt } },
  });
  if (isTaken) await sendDelivery(due, queue, seconds);
}

async function attemptNow({ attempt, ...ref }: Due, deps: DeliverDeps): Promise<void> {
  const { table, clock, queue } = deps;
  const claimed = await table.update(pendingDeliveryKey(ref), {
    set: { attempt: attempt + 1, nextAttemptAt: epochSeconds(clock) + LEASE_SECONDS },
    when: { exists: true, equals: { attempt } },
  });
  if (!claimed) return;
  const delivery = await table.get<Delivery>(deliveryKey(ref));
  const { webhooks } = await siteWebhooks(ref.siteId, table);
  const webhook = webhooks.find(({ webhookId }) => webhookId === delivery?.webhookId);
  if (!delivery || !webhook) return end(ref, { status: 'failed', error: 'The webhook was deleted.' }, table);
  const { isDelivered, isTimeout, at, ...result } = await attemptUnlessResting(delivery, webhook, deps);
  const made = { attempts: attempt + 1, lastAttemptAt: at, ...result };
  const delay = RETRY_DELAYS[attempt];
  if (isDelivered) return end(ref, { ...made, status: 'delivered' }, table);
  if (delay === undefined || result.httpStatus === GONE) return end(ref, { ...made, status: 'failed' }, table);
  const nextAttemptAt = epochSeconds(clock) + delay;
  await table.write([
    { update: deliveryKey(ref), set: { ...made, nextAttemptAt }, unset: unsetOf(made), when: { exists: true } },
    { put: pendingDelivery({ ...ref, attempt: attempt + 1, nextAttemptAt }) },
  ]);
  if (delay <= MAX_DELAY_SECONDS) await sendDelivery({ ...ref, attempt: attempt + 1 }, queue, delay);
}

type Made = Partial<Pick<Delivery, 'status' | 'attempts' | 'lastAttemptAt' | 'httpStatus' | 'error'>>;

/** Returns the fields of the previous attempt that this one lacks. */
const unsetOf = (made: Made): readonly string[] =>
  (['httpStatus', 'error'] as const).filter((name) => made[name] === undefined);

async function end(ref: DeliveryRef, made: Made, table: Table): Promise<void> {
  const update = {
    update: deliveryKey(ref),
    set: { ...made },
    unset: ['nextAttemptAt', ...unsetOf(made)],
    when: { exists: true },
  };
  const remove = { remove: pendingDeliveryKey(ref) };
  const refused = await table.write([update, remove]);
  if (refused.length > 0) await table.write([remove]); // its site was deleted
}

/**
 * Returns the longest time until the next attempt at the moment it is stored: the lease of an attempt, or the delay of
 * a retry.
 */
const longestWait = (attempts: number): number => Math.max(MAX_DELAY_SECONDS, RETRY_DELAYS[attempts - 1] ?? 0);

/** Runs the watchdog: sends the messages of events and due deliveries whose message or worker was lost. */
export async function resendDeliveries({ table, queue, clock }: Omit<DeliverDeps, 'sender'>): Promise<void> {
  const now = epochSeconds(clock);
  const sites = new Set<string>();
  for await (const { siteId, occurredAt } of everyEvent(table))
    if (isDue(occurredAt + LEASE_SECONDS, now, LEASE_SECONDS)) sites.add(siteId);
  for (const siteId of sites) await sendWebhookEvents(siteId, queue);
  for await (const { siteId, deliveryId, attempt, nextAttemptAt } of pendingDeliveries(table))
    if (isDue(nextAttemptAt, now, longestWait(attempt))) await sendDelivery({ siteId, deliveryId, attempt }, queue);
}
