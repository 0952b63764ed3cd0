import { defined } from '../../../text/defined.ts';
import { type Clock, epochSeconds } from '../../clock.ts';
import type { Key } from '../../ports/table.ts';
import { type Plan, planIncludes } from '../../sites/access/plan.ts';

export const FREQUENCIES = ['hourly', 'daily', 'weekly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

const HOUR = 3600;
export const INTERVAL_SECONDS: Readonly<Record<Frequency, number>> = {
  hourly: HOUR,
  daily: 24 * HOUR,
  weekly: 7 * 24 * HOUR,
};

export const MIN_PLAN: Readonly<Record<Frequency, Plan>> = { hourly: 'enterprise', daily: 'pro', weekly: 'pro' };

/** The recurring crawl of a site. Times are in epoch seconds. */
export type Schedule = {
  readonly id: string;
  readonly frequency: Frequency;
  readonly createdAt: number;
  /** When the last handled start was due. */
  readonly lastDueAt?: number;
  readonly lastStartedAt?: number;
  readonly skippedStarts: number;
  /** The code of the error that caused the last skipped start. */
  readonly lastSkipReason?: string;
};

export const scheduleKey = (siteId: string): Key => ({ pk: `SITE#${siteId}`, sk: 'SCHEDULE' });

/** Returns whether the plan includes the schedule. This is not stored, so a change of plan needs no write. */
export const isEnabled = ({ frequency }: Pick<Schedule, 'frequency'>, plan: Plan): boolean =>
  planIncludes(plan, MIN_PLAN[frequency]);

export function scheduleView(schedule: Schedule, plan: Plan, clock: Clock) {
  const { id, frequency, createdAt, lastStartedAt, skippedStarts, lastSkipReason } = schedule;
  const every = INTERVAL_SECONDS[frequency];
  const intervals = Math.max(0, Math.floor((epochSeconds(clock) - createdAt) / every));
  return {
    id,
    frequency,
    enabled: isEnabled(schedule, plan),
    createdAt,
    nextStartAt: createdAt + (intervals + 1) * every,
    ...defined({ lastStartedAt }),
    skippedStarts,
    ...defined({ lastSkipReason }),
  };
}
