import { randomBytes } from 'node:crypto';
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Clock } from '../domain/clock.ts';

export const clock: Clock = Object.assign(() => Date.now(), { steady: () => performance.now() });
/** Returns a UUIDv7, so that ids sort by creation time. */
export const newId = (): string => v7();
/** Returns the secret of an API key: 256 random bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Returns 128 random bits, which nobody can guess. */
export const randomToken = (): string => randomBytes(16).toString('base64url');

const halting = new AbortController();
/** Asks workers to stop and hand over their work. Only the local service aborts it. */
export const halt: AbortSignal = halting.signal;
export const requestHalt = (): void => halting.abort();

const sleepers = new Set<() => void>();
halt.addEventListener('abort', () => {
  for (const wake of sleepers) wake();
});

/** Sleeps, but returns early on a halt. 0 yields for one turn of the event loop. */
export const sleep = (ms: number): Promise<void> => (ms === 0 ? eventLoopTurn() : sleepFor(ms));

/** A set of sleepers, because removing one abort listener among many is O(n). */
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
