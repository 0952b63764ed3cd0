import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError } from '../domain/errors.ts';
import { retryWhileUnavailable } from '../domain/retry.ts';
import { clock } from './system.ts';

/** How long a call is repeated. A new IAM role takes a while to become effective. */
const RETRY_FOR_MS = 60_000;
const RETRY_WAIT_MS = 5_000;
const DENIED = /not authorized|access ?denied|security token/i;

/** Repeats an idempotent step of a deployment while AWS denies it or is unavailable, for at most a minute. */
export const retryWhileDenied = (attempt: () => Promise<void>): Promise<void> =>
  retryWhileUnavailable(() => attempt().catch(patientlyIfDenied), {
    deadline: clock() + RETRY_FOR_MS,
    clock,
    sleep: (ms: number) => delay(ms),
    firstWaitMs: RETRY_WAIT_MS,
    longestWaitMs: RETRY_WAIT_MS,
  });

function patientlyIfDenied(error: unknown): never {
  if (error instanceof Error && DENIED.test(error.message)) throw new UnavailableError(error.message, { cause: error });
  throw error;
}
