import type { Clock } from './clock.ts';
import { UnavailableError } from './errors.ts';

export type RetryOptions = {
  /** Epoch milliseconds after which no attempt begins. */
  readonly deadline: number;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  /** Once it is aborted, the next failure is final. */
  readonly halt?: AbortSignal;
  /** Milliseconds before the second attempt. The wait doubles after each attempt, up to `longestWaitMs`. */
  readonly firstWaitMs?: number;
  readonly longestWaitMs?: number;
};

/** Repeats an idempotent operation with back-off while a service is unavailable. Throws other errors at once. */
export async function retryWhileUnavailable<T>(
  attempt: () => Promise<T>,
  { deadline, clock, sleep, halt, firstWaitMs = 2000, longestWaitMs = 15_000 }: RetryOptions,
): Promise<T> {
  for (let wait = firstWaitMs; ; wait = Math.min(2 * wait, longestWaitMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof UnavailableError) || halt?.aborted || clock() + wait >= deadline) throw error;
    }
    await sleep(wait);
  }
}
