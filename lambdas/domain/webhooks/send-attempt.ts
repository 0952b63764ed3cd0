import { type Clock, epochSeconds } from '../clock.ts';
import type { WebhookAnswer, WebhookSender } from '../ports/webhook-sender.ts';
import type { Delivery } from './delivery.ts';
import { signedHeaders } from './signature.ts';
import type { Webhook } from './webhook.ts';

export type Attempt = Pick<Delivery, 'httpStatus' | 'error'> & {
  readonly isDelivered: boolean;
  readonly isTimeout?: boolean;
  readonly at: number;
};

const TIMEOUT_MS = 10_000;

/** Makes one attempt. Only a 2xx answer counts as delivered; redirects are not followed. */
export async function sendAttempt(
  { eventId, body }: Pick<Delivery, 'eventId' | 'body'>,
  { url, secret }: Pick<Webhook, 'url' | 'secret'>,
  { sender, clock }: { readonly sender: WebhookSender; readonly clock: Clock },
): Promise<Attempt> {
  const at = epochSeconds(clock);
  const headers = signedHeaders({ id: eventId, timestamp: at, body }, secret);
  const answer = await sender.send({ url, headers, body, timeoutMs: TIMEOUT_MS });
  if (answer.kind === 'failure')
    return { at, isDelivered: false, isTimeout: answer.reason === 'timeout', error: SENTENCES[answer.reason] };
  const { status } = answer;
  if (status >= 200 && status < 300) return { at, isDelivered: true, httpStatus: status };
  return { at, isDelivered: false, httpStatus: status, error: `The server answered ${status}, not 2xx.` };
}

/** The same message for two failures, so that nobody can probe names of the operator's network. */
const NO_PUBLIC_ADDRESS = 'The host has no public address.';

const SENTENCES = {
  timeout: 'The server did not answer within 10 seconds.',
  dns: NO_PUBLIC_ADDRESS,
  connection: 'The server refused or dropped the connection.',
  private_address: NO_PUBLIC_ADDRESS,
  bad_content: 'The answer of the server is not valid HTTP.',
} as const satisfies Record<Extract<WebhookAnswer, { kind: 'failure' }>['reason'], string>;
