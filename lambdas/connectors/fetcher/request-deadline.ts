import type { FetchRequest } from '../../domain/ports/page-fetcher.ts';
import { FetchError } from './fetch-error.ts';

export type Deadline = {
  readonly signal: AbortSignal;
  /** Replaces the time. It counts from the start of the request. */
  moveTo(timeoutMs: number): void;
  stop(): void;
};

/** Starts a deadline. Its signal aborts when the time of the request is over, or when the caller aborts. */
export function startDeadline({ timeoutMs, signal }: FetchRequest): Deadline {
  const controller = new AbortController();
  const startedAt = performance.now();
  const expireAfter = (ms: number) =>
    setTimeout(
      () => controller.abort(new FetchError('timeout', `no complete answer within ${ms} ms`)),
      ms - (performance.now() - startedAt),
    );
  const cancel = () => controller.abort(new FetchError('aborted', 'the caller aborted the request'));
  let timer = expireAfter(timeoutMs);
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();
  return {
    signal: controller.signal,
    moveTo: (ms) => {
      clearTimeout(timer);
      timer = expireAfter(ms);
    },
    stop: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    },
  };
}

/**
 * Returns a promise that rejects when the signal aborts. undici ignores the signal of a request that waits for a
 * connection.
 */
export function rejection(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  promise.catch(() => undefined);
  return promise;
}
