import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError } from '../../core/errors.ts';
import { type Fault, faultOf } from './aws-error.ts';

/** Below the 5 s of the ports, so that what waits for an adapter hears of it in time. */
const LIMIT_MS = 4500;
/** Of the limit, so that there is time for a second attempt. */
const SHARE_OF_AN_ATTEMPT = 0.45;
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 400;

export type ServiceOptions = {
  /** Where it answers, if not in the region of the process. */
  readonly url?: string | undefined;
  /** @default 4500 */
  readonly limitMs?: number;
};

export type AnswerOptions = {
  /** Whether the request may be carried out twice: if not, it is repeated only where it surely was not. */
  readonly repeatable?: boolean;
  /** How long the service waits by itself before it answers. */
  readonly waitMs?: number;
};

export type Ask = <T>(request: (signal: AbortSignal) => Promise<T>, options?: AnswerOptions) => Promise<T>;

/**
 * What a service answers to a request, which is repeated while it refuses for now or its answers get lost. Throws
 * `UnavailableError` within the limit, and an `Error` for a request that the service will never take; both have their cause.
 */
export function asker(service: string, { limitMs = LIMIT_MS }: ServiceOptions): Ask {
  return async (request, { repeatable = true, waitMs = 0 } = {}) => {
    const end = performance.now() + limitMs + waitMs;
    const attemptMs = repeatable ? limitMs * SHARE_OF_AN_ATTEMPT + waitMs : Infinity;
    for (let attempt = 0; ; attempt++) {
      try {
        return await inTime(request, Math.max(0, Math.min(end - performance.now(), attemptMs)));
      } catch (error) {
        const fault = faultOf(error);
        const pause = pauseBefore(attempt);
        const mayRepeat = fault === 'refused for now' || (fault === 'answer lost' && repeatable);
        if (!mayRepeat || performance.now() + pause >= end) throw described(service, fault, error);
        await delay(pause);
      }
    }
  };
}

function described(service: string, fault: Fault, error: unknown): unknown {
  if (fault === 'of the caller') return error;
  const message = error instanceof Error ? error.message || error.name : String(error);
  return fault === 'of the request'
    ? new Error(`${service} refused a request: ${message}`, { cause: error })
    : new UnavailableError(`${service} does not answer: ${message}`, { cause: error });
}

class NoAnswer extends Error {
  override readonly name = 'TimeoutError';
}

/** A client that was told to stop may go on waiting, for credentials for instance: the answer does not. */
async function inTime<T>(request: (signal: AbortSignal) => Promise<T>, ms: number): Promise<T> {
  const controller = new AbortController();
  const { promise: reached, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new NoAnswer(`nothing within ${Math.round(ms)} ms`));
    controller.abort();
  }, ms);
  try {
    return await Promise.race([request(controller.signal), reached]);
  } finally {
    clearTimeout(timer);
  }
}

/** Random, so that those who were refused together do not come again together. */
function pauseBefore(attempt: number): number {
  return Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt + 1));
}
