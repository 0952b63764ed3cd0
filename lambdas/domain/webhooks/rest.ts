import { type Clock, epochSeconds, isDue } from '../clock.ts';
import type { Item, Key, Table } from '../ports/table.ts';
import type { WebhookSender } from '../ports/webhook-sender.ts';
import type { Delivery } from './delivery.ts';
import { type Attempt, sendAttempt } from './send-attempt.ts';
import type { Webhook } from './webhook.ts';

/** Number of timeouts in a row after which a webhook is paused. Each timeout delays its organisation by ten seconds. */
const MAX_TIMEOUTS = 3;
const REST_SECONDS = 300;
const RESTS = `Nothing was sent: the server did not answer ${MAX_TIMEOUTS} times in a row, so it is left alone for ${REST_SECONDS / 60} minutes.`;
const KEPT_SECONDS = 86_400;

type Timeouts = { readonly inARow?: number; readonly restsUntil?: number };
type Deps = { readonly table: Table; readonly sender: WebhookSender; readonly clock: Clock };

const timeoutsKey = ({ siteId, webhookId }: Delivery): Key => ({
  pk: `SITE#${siteId}`,
  sk: `WEBHOOK_TIMEOUTS#${webhookId}`,
});

/** Makes one attempt, which fails at once while the webhook is paused. */
export async function attemptUnlessResting(delivery: Delivery, webhook: Webhook, deps: Deps): Promise<Attempt> {
  const { table, clock } = deps;
  const key = timeoutsKey(delivery);
  const known = await table.get<Timeouts & Item>(key);
  const at = epochSeconds(clock);
  if (!isDue(known?.restsUntil ?? 0, at, REST_SECONDS)) return { at, isDelivered: false, error: RESTS };
  const made = await sendAttempt(delivery, webhook, deps);
  if (made.isTimeout) {
    const inARow = (known?.inARow ?? 0) + 1;
    const now = epochSeconds(clock);
    const restsUntil = inARow < MAX_TIMEOUTS ? 0 : now + REST_SECONDS;
    await table.update(key, { set: { inARow, restsUntil, expiresAt: now + KEPT_SECONDS } });
  } else if (known) await table.removeMany([key]);
  return made;
}
