import { setTimeout as delay } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Clock } from '../core/clock.ts';

/** What the domain is given of the world's time and chance. */
export const clock: Clock = Date.now;
/** A UUIDv7: ids sort by the time at which they were made. */
export const newId = (): string => v7();

const halting = new AbortController();
/** Asks workers to hand over soon; a laptop stops them so, a Lambda function never. */
export const halt: AbortSignal = halting.signal;
export const requestHalt = (): void => halting.abort();

/** Ends early when a halt is asked for. */
export const sleep = (ms: number): Promise<void> =>
  delay(ms, undefined, { signal: halt }).catch((error: unknown) => {
    if (!halt.aborted) throw error;
  });
