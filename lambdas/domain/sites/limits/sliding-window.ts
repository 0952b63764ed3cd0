export const WINDOW_MS = 60_000;

export const minuteOf = (now: number): number => Math.floor(now / WINDOW_MS);

type Window = {
  readonly perMinute: number;
  /** Number of calls in the previous minute. */
  readonly previous: number;
};

/**
 * Returns the number of calls that the current minute may have had by now. Calls of the previous minute count by the
 * share of it within the last 60 seconds. Each minute admits at least one call, so that nobody waits beyond its end
 * (docs/decisions/027-keys-and-rate-limits.md).
 */
export function admittedBy(now: number, { perMinute, previous }: Window): number {
  const elapsed = (now % WINDOW_MS) / WINDOW_MS;
  return Math.max(1, Math.floor(perMinute - previous * (1 - elapsed)));
}

/** Returns the epoch milliseconds from which a minute with `count` calls admits another one; its end if none. */
export function nextAdmission(now: number, count: number, { perMinute, previous }: Window): number {
  const start = minuteOf(now) * WINDOW_MS;
  const share = previous > 0 ? 1 - (perMinute - count - 1) / previous : 1;
  return Math.ceil(start + Math.max(0, Math.min(1, share)) * WINDOW_MS);
}
