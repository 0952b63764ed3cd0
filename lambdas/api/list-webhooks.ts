import { tableReader } from '#adapters/table';
import { listWebhooks } from '../domain/webhooks/manage-webhooks.ts';
import { webhooks } from '../routes/webhooks.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { pageInfo } from '../runtime/responses.ts';

export const handler = endpoint(webhooks['list-webhooks'], async ({ params, query, caller }) => {
  const { deliveries, ...page } = await listWebhooks({ ...params, ...query }, caller, tableReader);
  return { webhooks: page.items, deliveries, ...pageInfo(page) };
});
