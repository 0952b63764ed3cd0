import { table } from '#adapters/table';
import { webhookSender } from '../connectors/webhook-sender.ts';
import { testWebhook } from '../domain/webhooks/test-webhook.ts';
import { env } from '../env.ts';
import { webhooks } from '../routes/webhooks.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock, newId } from '../runtime/system.ts';

const sender = webhookSender({ allowHosts: env.WEBHOOK_ALLOW_HOSTS });

export const handler = endpoint(webhooks['test-webhook'], ({ params, caller }) =>
  testWebhook(params, caller, { table, clock, newId, sender }),
);
