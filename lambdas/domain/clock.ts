/**
 * Epoch milliseconds. It is passed in, so that tests control time. The system's time may be set while a process runs:
 * `steady` (milliseconds, from any moment on) is not affected. A clock without it is itself steady.
 */
export type Clock = { (): number; readonly steady?: () => number };

export const epochSeconds = (clock: Clock): number => Math.floor(clock() / 1000);

/**
 * The clock for one piece of work: it has the time of its start, and from then on goes forward as time passes, even if
 * the system's time is set. Deadlines, pauses and durations are measured by it (docs/decisions/007-clocks.md).
 */
export function steadyClock(clock: Clock): Clock {
  const { steady } = clock;
  if (!steady) return clock;
  const offset = clock() - steady();
  return () => Math.floor(offset + steady());
}

/**
 * Whether a stored moment has come. One that lies further ahead than the longest wait was stored before the system's
 * time was set back: it has come too. All in the same unit.
 */
export const hasCome = (moment: number, now: number, longestWait: number): boolean =>
  moment <= now || moment > now + longestWait;
