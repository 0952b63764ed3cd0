/**
 * Returns epoch milliseconds. It is a parameter so that tests control time. The system's time may be set while a
 * process runs; `steady` (milliseconds since an arbitrary moment) is not affected. A clock without it is itself steady.
 */
export type Clock = { (): number; readonly steady?: () => number };

export const epochSeconds = (clock: Clock): number => Math.floor(clock() / 1000);

/**
 * Returns the clock for one piece of work: it starts at the present time and then advances steadily, even if the
 * system's time is set. It measures deadlines, pauses and durations (docs/decisions/007-clocks.md).
 */
export function steadyClock(clock: Clock): Clock {
  const { steady } = clock;
  if (!steady) return clock;
  const offset = clock() - steady();
  return () => Math.floor(offset + steady());
}

/**
 * Returns whether a stored moment is due. A moment further ahead than the longest wait also counts as due: it was
 * stored before the system's time was set back. All values have the same unit.
 */
export const isDue = (moment: number, now: number, longestWait: number): boolean =>
  moment <= now || moment > now + longestWait;
