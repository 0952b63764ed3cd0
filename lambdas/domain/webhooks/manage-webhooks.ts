import { defined } from '../../text/defined.ts';
import { type Clock, epochSeconds } from '../clock.ts';
import { AppError, NotFoundError } from '../errors.ts';
import { retryWhenOvertaken } from '../optimistic-retry.ts';
import type { AddressCheck } from '../ports/address-check.ts';
import type { Table, TableReader } from '../ports/table.ts';
import { ownSite, settingsKey } from '../sites/site.ts';
import { deliveryView, lastDeliveries } from './delivery.ts';
import { newWebhookSecret } from './signature.ts';
import { type EventType, MAX_WEBHOOKS, siteWebhooks, type Webhook, webhooksKey } from './webhook.ts';

type Owner = { readonly orgId: string };
export type WebhookRef = { readonly siteId: string; readonly webhookId: string };
export type NewWebhook = { readonly siteId: string; readonly url: string; readonly events: readonly EventType[] };
type WebhookList = { readonly siteId: string; readonly limit: number; readonly cursor?: string | undefined };

type CreateDeps = {
  readonly table: Table;
  readonly clock: Clock;
  readonly checkAddress: AddressCheck;
  readonly newId: () => string;
  readonly newSecret: () => string;
};

const ATTEMPTS = 20;

/** Lists the webhooks after the cursor, oldest first, and the site's last deliveries. */
export async function listWebhooks({ siteId, limit, cursor }: WebhookList, { orgId }: Owner, table: TableReader) {
  await ownSite(siteId, orgId, table);
  const [{ webhooks }, deliveries] = await Promise.all([siteWebhooks(siteId, table), lastDeliveries(siteId, table)]);
  const rest = webhooks.filter(({ webhookId }) => cursor === undefined || webhookId > cursor);
  const items = rest.slice(0, limit);
  const next = rest.length > limit ? items.at(-1)?.webhookId : undefined;
  return {
    items: items.map(webhookView),
    ...defined({ next }),
    deliveries: deliveries.items.map(deliveryView),
  };
}

/** Creates a webhook. Returns it with its secret, which is shown only here. */
export async function createWebhook({ siteId, url, events }: NewWebhook, { orgId }: Owner, deps: CreateDeps) {
  const { table, clock } = deps;
  await ownSite(siteId, orgId, table);
  await assertReachable(url, deps.checkAddress);
  const secret = newWebhookSecret(deps.newSecret());
  const webhook: Webhook = {
    webhookId: deps.newId(),
    url,
    events: [...new Set(events)],
    secret,
    createdAt: epochSeconds(clock),
  };
  await changeWebhooks(siteId, table, (webhooks) => {
    if (webhooks.length >= MAX_WEBHOOKS)
      throw new AppError('invalid_request', `A site has at most ${MAX_WEBHOOKS} webhooks. Delete one first.`);
    return [...webhooks, webhook];
  });
  return { ...webhookView(webhook), secret };
}

/** Deletes a webhook. Deliveries that wait for another attempt end as failed. */
export async function deleteWebhook({ siteId, webhookId }: WebhookRef, { orgId }: Owner, table: Table): Promise<void> {
  await ownSite(siteId, orgId, table);
  await changeWebhooks(siteId, table, (webhooks) => {
    const others = webhooks.filter((webhook) => webhook.webhookId !== webhookId);
    if (others.length === webhooks.length) throw new NotFoundError('Webhook');
    return others;
  });
}

/** Returns the webhook. Throws if the webhook or its site does not belong to the organisation. */
export async function ownWebhook({ siteId, webhookId }: WebhookRef, { orgId }: Owner, table: Table): Promise<Webhook> {
  await ownSite(siteId, orgId, table);
  const { webhooks } = await siteWebhooks(siteId, table);
  const webhook = webhooks.find((one) => one.webhookId === webhookId);
  if (!webhook) throw new NotFoundError('Webhook');
  return webhook;
}

async function changeWebhooks(
  siteId: string,
  table: Table,
  change: (webhooks: readonly Webhook[]) => readonly Webhook[],
): Promise<void> {
  await retryWhenOvertaken(ATTEMPTS, 'other requests keep changing the webhooks: try again', async () => {
    const { webhooks, version } = await siteWebhooks(siteId, table);
    const put = { ...webhooksKey(siteId), webhooks: change(webhooks), version: version + 1 };
    const siteExists = { check: settingsKey(siteId), when: { exists: true } };
    const isUnchanged = version === 0 ? { exists: false } : { equals: { version } };
    const refused = await table.write([siteExists, { put, when: isUnchanged }]);
    if (refused.includes(siteExists)) throw new NotFoundError('Site');
    return refused.length === 0 ? true : undefined;
  });
}

/**
 * Rejects an unreachable address at once, with a clear message. Private networks are protected by the check at each
 * delivery.
 */
async function assertReachable(url: string, checkAddress: AddressCheck): Promise<void> {
  const { host } = new URL(url);
  const verdict = await checkAddress(url);
  // Both cases have the same message, so that nobody can probe names of the operator's network.
  if (verdict === 'private' || verdict === 'no_such_host')
    throw new AppError('invalid_request', `No webhook can be sent to ${host}: it has no public address`);
  if (verdict === 'unverified')
    throw new AppError(
      'address_unverified',
      `The address of ${host} cannot be verified now: nothing was saved, try again`,
    );
}

const webhookView = ({ secret, ...webhook }: Webhook) => webhook;
