import type { Clock } from '../../clock.ts';
import type { Period } from '../event-log.ts';

const DAY_MS = 86_400_000;

/** Returns the day in UTC, `YYYY-MM-DD`. */
export const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

export const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;
export const dayOfNumber = (number: number): string => dayOf(number * DAY_MS);

/** Returns the period of a range such as `30d`: today and the days before it. */
export function periodOf(range: string, clock: Clock): Period {
  const days = Number.parseInt(range, 10);
  return { from: dayOf(clock() - (days - 1) * DAY_MS), to: dayOf(clock()) };
}

/** Returns the period of a month such as `2026-11`, up to its last day. */
export function monthPeriod(month: string): Period {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return { from: `${month}-01`, to: dayOf(Date.UTC(year, number, 0)) };
}

/** Returns all days of a period, oldest first. */
export function daysOf({ from, to }: Period): readonly string[] {
  const first = dayNumber(from);
  return Array.from({ length: Math.max(0, dayNumber(to) - first + 1) }, (_, index) => dayOfNumber(first + index));
}
