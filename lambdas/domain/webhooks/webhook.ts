import type { Item, Key, TableReader } from '../ports/table.ts';

export const EVENT_TYPES = ['crawl.completed', 'crawl.failed', 'crawl.cancelled', 'review.created'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
/** Sent only on request, whichever events the webhook receives. */
export const TEST_EVENT = 'webhook.test';

/** An address that receives events of a site. */
export type Webhook = {
  readonly webhookId: string;
  readonly url: string;
  readonly events: readonly EventType[];
  /** `whsec_` and Base64. Shown once, but kept, because it signs every message. */
  readonly secret: string;
  readonly createdAt: number;
};

/** Each event writes two items for each webhook in one write, which holds 100 items. */
export const MAX_WEBHOOKS = 20;

/** All webhooks of a site, oldest first, in one item. Every change raises the version. */
export type SiteWebhooks = { readonly webhooks: readonly Webhook[]; readonly version: number };

export const webhooksKey = (siteId: string): Key => ({ pk: `SITE#${siteId}`, sk: 'WEBHOOKS' });

export async function siteWebhooks(siteId: string, table: TableReader): Promise<SiteWebhooks> {
  const item = await table.get<SiteWebhooks & Item>(webhooksKey(siteId));
  return { webhooks: item?.webhooks ?? [], version: item?.version ?? 0 };
}
