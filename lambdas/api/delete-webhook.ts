import { table } from '#adapters/table';
import { deleteWebhook } from '../domain/webhooks/manage-webhooks.ts';
import { webhooks } from '../routes/webhooks.ts';
import { endpoint } from '../runtime/endpoint.ts';

export const handler = endpoint(webhooks['delete-webhook'], async ({ params, caller }) => {
  await deleteWebhook(params, caller, table);
  return { success: true };
});
