import { setTimeout as sleep } from 'node:timers/promises';
import { retryWhileUnavailable } from '../../lambdas/domain/retry.ts';

const PATIENCE_MS = 60_000;

/**
 * Repeats a task while the engine is unavailable: on a shared machine it may be too busy to answer within its time
 * limit.
 */
export const retryWhileBusy = <T>(task: () => Promise<T>): Promise<T> =>
  retryWhileUnavailable(task, {
    deadline: Date.now() + PATIENCE_MS,
    clock: Date.now,
    sleep: (ms) => sleep(ms),
    firstWaitMs: 100,
  });
