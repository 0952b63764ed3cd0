import { createHmac } from 'node:crypto';

/* Standard Webhooks 1.0: https://www.standardwebhooks.com */

const PREFIX = 'whsec_';

/** Returns a new secret. `random`: 32 random bytes in Base64, in either alphabet. */
export const newWebhookSecret = (random: string): string =>
  PREFIX + Buffer.from(random, 'base64url').toString('base64');

export type SignedMessage = { readonly id: string; readonly timestamp: number; readonly body: string };

export function signedHeaders({ id, timestamp, body }: SignedMessage, secret: string): Record<string, string> {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}
