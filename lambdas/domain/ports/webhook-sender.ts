import type { FetchFailure } from './page-fetcher.ts';

export type WebhookRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time limit for lookup, connection and answer together. */
  readonly timeoutMs: number;
};

export type WebhookAnswer =
  | { readonly kind: 'answer'; readonly status: number }
  | { readonly kind: 'failure'; readonly reason: Exclude<FetchFailure, 'aborted' | 'too_large'> };

/**
 * Sends one message by POST. It follows no redirect, keeps only the status of the answer, and never connects to a
 * private address unless the host is admitted by name. It does not throw: every failure is a result.
 */
export interface WebhookSender {
  send(request: WebhookRequest): Promise<WebhookAnswer>;
}
