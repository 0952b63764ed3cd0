import { UnavailableError } from '../lambdas/core/errors.ts';

const TRIES = 8;

/** Does a task again while an engine is too busy to take it: on a shared machine some calls run into their time limit. */
export async function retryWhileUnavailable<T>(task: () => Promise<T>): Promise<T> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await task();
    } catch (error) {
      if (left === 0 || !(error instanceof UnavailableError)) throw error;
    }
  }
}
