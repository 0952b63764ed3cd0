import { table } from '#adapters/table';
import { addressCheck } from '../connectors/fetcher/address-check.ts';
import { createWebhook } from '../domain/webhooks/manage-webhooks.ts';
import { env } from '../env.ts';
import { webhooks } from '../routes/webhooks.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { clock, newId, newSecret } from '../runtime/system.ts';

const checkAddress = addressCheck({ allowHosts: env.WEBHOOK_ALLOW_HOSTS, timeoutMs: 5000 });

export const handler = endpoint(webhooks['create-webhook'], ({ params, body, caller }) =>
  createWebhook({ ...params, ...body }, caller, { table, clock, checkAddress, newId, newSecret }),
);
