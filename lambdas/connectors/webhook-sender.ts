import { Agent, type Dispatcher } from 'undici';
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '../domain/ports/webhook-sender.ts';
import { allowedHosts } from '../text/web/allowed-hosts.ts';
import { toFetchError } from './fetcher/fetch-error.ts';
import { guardedConnector, type Resolve } from './fetcher/guarded-connector.ts';
import { rejection } from './fetcher/request-deadline.ts';

const USER_AGENT = 'SiteSearchWebhooks/1.0';
/** The most bytes that are read of an answer. */
const MAX_SKIPPED_BYTES = 65_536;

type SenderOptions = {
  /** Each `host` or `host:port` may receive messages although its address is private. */
  readonly allowHosts: readonly string[];
  /** @default the resolver of this machine */
  readonly resolve?: Resolve;
};

/** Sends webhooks by undici. Each message has its own connection, so that its address is checked each time. */
export function webhookSender({ allowHosts, resolve }: SenderOptions): WebhookSender {
  const admits = allowedHosts(allowHosts);
  return {
    async send(request) {
      const agent = new Agent({
        connect: guardedConnector(admits, request.timeoutMs, resolve),
        allowH2: false,
        headersTimeout: 0, // the message has one deadline
        bodyTimeout: 0,
      });
      const deadline = AbortSignal.timeout(request.timeoutMs);
      try {
        const answer = await Promise.race([post(agent, request, deadline), rejection(deadline)]);
        return { kind: 'answer', status: answer };
      } catch (error) {
        return { kind: 'failure', reason: failureReason(error) };
      } finally {
        await agent.destroy();
      }
    },
  };
}

async function post(agent: Agent, { url, headers, body }: WebhookRequest, signal: AbortSignal): Promise<number> {
  const { origin, pathname, search } = new URL(url);
  const answer: Dispatcher.ResponseData = await agent.request({
    origin,
    path: pathname + search,
    method: 'POST',
    headers: { 'user-agent': USER_AGENT, ...headers },
    body,
    signal,
  });
  answer.body.on('error', () => undefined);
  // The status counts even if the rest of the answer never arrives.
  await answer.body.dump({ limit: MAX_SKIPPED_BYTES, signal }).catch(() => undefined);
  return answer.statusCode;
}

type Reason = Extract<WebhookAnswer, { kind: 'failure' }>['reason'];

function failureReason(error: unknown): Reason {
  if (error instanceof DOMException) return 'timeout';
  const { reason } = toFetchError(error);
  return reason === 'aborted' || reason === 'too_large' ? 'connection' : reason;
}
