import { type Clock, epochSeconds } from '../clock.ts';
import type { Table } from '../ports/table.ts';
import type { WebhookSender } from '../ports/webhook-sender.ts';
import { settingsKey } from '../sites/site.ts';
import { deliveryIdOf, deliveryKey, deliveryView, forgetOldDeliveries, newDelivery } from './delivery.ts';
import { ownWebhook, type WebhookRef } from './manage-webhooks.ts';
import { sendAttempt } from './send-attempt.ts';
import { TEST_EVENT } from './webhook.ts';

type TestDeps = {
  readonly table: Table;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly sender: WebhookSender;
};

/** Sends a test event at once, in one attempt, and returns the result. */
export async function testWebhook(ref: WebhookRef, caller: { readonly orgId: string }, deps: TestDeps) {
  const { table, clock, newId } = deps;
  const { siteId, webhookId } = ref;
  const webhook = await ownWebhook(ref, caller, table);
  const event = { siteId, eventId: `evt_${newId()}`, type: TEST_EVENT, occurredAt: epochSeconds(clock) } as const;
  const sent = newDelivery(event, webhook, { siteId, webhookId });
  const { isDelivered, isTimeout, at, ...result } = await sendAttempt(sent, webhook, deps);
  const status = isDelivered ? ('delivered' as const) : ('failed' as const);
  const delivery = { ...sent, ...result, status, attempts: 1, lastAttemptAt: at };
  await table.write([
    { check: settingsKey(siteId), when: { exists: true } },
    { put: { ...deliveryKey({ siteId, deliveryId: deliveryIdOf(delivery) }), ...delivery } },
  ]);
  await forgetOldDeliveries(siteId, table);
  return deliveryView(delivery);
}
