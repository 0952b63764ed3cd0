import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
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

const sleepers = new Set<() => void>();
halt.addEventListener('abort', () => {
  for (const wake of sleepers) wake();
});

/** Ends early when a halt is asked for; without a time, it gives way to others for a turn of the event loop. */
export const sleep = (ms: number): Promise<void> => (ms === 0 ? turnOfTheLoop() : sleepFor(ms));

/** A listener of the signal for each sleep would be sought among all others. */
const sleepFor = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      sleepers.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, halt.aborted ? 0 : ms);
    sleepers.add(wake);
  });
