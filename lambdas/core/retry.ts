import type { Clock } from './clock.ts';
import { UnavailableError } from './errors.ts';

type PatienceDeps = {
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly halt: AbortSignal;
};

const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 15_000;

/** Does a thing again and again while a service is away, until the deadline. It must be harmless to repeat. */
export async function retryWhileUnavailable<T>(
  act: () => Promise<T>,
  deadline: number,
  { clock, sleep, halt }: PatienceDeps,
): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof UnavailableError) || halt.aborted || clock() + wait >= deadline) throw error;
    }
    await sleep(wait);
  }
}
