import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError } from '../domain/errors.ts';
import { type AwsErrorKind, awsErrorKind } from './aws-error.ts';

/** Below the 5 s that the ports promise (domain/errors.ts). */
const TIME_LIMIT_MS = 4500;
/** Maximum duration of one attempt, as a share of the limit: it leaves time for a second attempt. */
const ATTEMPT_SHARE = 0.45;
const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 400;

export type ServiceOptions = {
  readonly url?: string | undefined;
  /** @default 4500 */
  readonly limitMs?: number;
};

export type RequestOptions = {
  /**
   * Whether a second execution is harmless. If not, a request is repeated only if it was certainly not executed.
   * @default true
   */
  readonly repeatable?: boolean;
  /** How long the service itself waits before it answers (long polling). @default 0 */
  readonly waitMs?: number;
};

export type RetryingClient = <T>(send: (signal: AbortSignal) => Promise<T>, options?: RequestOptions) => Promise<T>;

/**
 * Sends requests to a service and repeats those that were not executed or whose answer was lost. Throws
 * `UnavailableError` at the time limit and `Error` when the service rejects the request, both with their cause.
 */
export function retryingClient(service: string, { limitMs = TIME_LIMIT_MS }: ServiceOptions): RetryingClient {
  return async (send, { repeatable = true, waitMs = 0 } = {}) => {
    const end = performance.now() + limitMs + waitMs;
    const attemptMs = repeatable ? limitMs * ATTEMPT_SHARE + waitMs : Infinity;
    for (let attempt = 0; ; attempt++) {
      try {
        return await withTimeout(send, Math.max(0, Math.min(end - performance.now(), attemptMs)));
      } catch (error) {
        const kind = awsErrorKind(error);
        const pause = pauseAfter(attempt);
        const mayRepeat = kind === 'not executed' || (kind === 'outcome unknown' && repeatable);
        if (!mayRepeat || performance.now() + pause >= end) throw describeError(service, kind, error);
        await delay(pause);
      }
    }
  };
}

function describeError(service: string, kind: AwsErrorKind, error: unknown): unknown {
  if (kind === 'program error') return error;
  const message = error instanceof Error ? error.message || error.name : String(error);
  return kind === 'rejected'
    ? new Error(`${service} rejected a request: ${message}`, { cause: error })
    : new UnavailableError(`${service} does not answer: ${message}`, { cause: error });
}

class AttemptTimeout extends Error {
  override readonly name = 'TimeoutError';
}

/** Rejects in time even where the SDK ignores the signal, as it does while it waits for credentials. */
async function withTimeout<T>(send: (signal: AbortSignal) => Promise<T>, ms: number): Promise<T> {
  const controller = new AbortController();
  const { promise: reached, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new AttemptTimeout(`no answer within ${Math.round(ms)} ms`));
    controller.abort();
  }, ms);
  try {
    return await Promise.race([send(controller.signal), reached]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the pause in milliseconds: exponential back-off with full jitter. */
function pauseAfter(attempt: number): number {
  return Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt + 1));
}
