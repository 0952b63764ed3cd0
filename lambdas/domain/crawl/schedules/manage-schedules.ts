import { type Clock, epochSeconds } from '../../clock.ts';
import { AppError, NotFoundError } from '../../errors.ts';
import type { Table, TableReader } from '../../ports/table.ts';
import type { Timetable } from '../../ports/timetable.ts';
import type { Caller } from '../../sites/access/api-key.ts';
import type { Plan } from '../../sites/access/plan.ts';
import { ownSite, settingsKey } from '../../sites/site.ts';
import {
  type Frequency,
  INTERVAL_SECONDS,
  isEnabled,
  MIN_PLAN,
  type Schedule,
  scheduleKey,
  scheduleView,
} from './schedule.ts';

type ScheduleCaller = Pick<Caller, 'orgId' | 'plan'>;
type ScheduleDeps = { readonly table: Table; readonly timetable: Timetable; readonly clock: Clock };

/** Lists the schedules of a site, at most one. */
export async function listSchedules(
  siteId: string,
  { orgId, plan }: ScheduleCaller,
  { table, clock }: { readonly table: TableReader; readonly clock: Clock },
) {
  await ownSite(siteId, orgId, table);
  const schedule = await table.get<Schedule>(scheduleKey(siteId));
  return schedule ? [scheduleView(schedule, plan, clock)] : [];
}

/** Creates or replaces the site's schedule. May be repeated if it fails half-way. */
export async function setSchedule(
  { siteId, frequency }: { readonly siteId: string; readonly frequency: Frequency },
  { orgId, plan }: ScheduleCaller,
  { table, timetable, clock, newId }: ScheduleDeps & { readonly newId: () => string },
) {
  await ownSite(siteId, orgId, table);
  if (!isEnabled({ frequency }, plan)) throw planTooLow(frequency, plan);
  const schedule: Schedule = { id: newId(), frequency, createdAt: epochSeconds(clock), skippedStarts: 0 };
  const refused = await table.write([
    { check: settingsKey(siteId), when: { exists: true } },
    { put: { ...scheduleKey(siteId), ...schedule } },
  ]);
  if (refused.length > 0) throw new NotFoundError('Site');
  await timetable.set(siteId, INTERVAL_SECONDS[frequency]);
  return scheduleView(schedule, plan, clock);
}

/** Deletes a schedule. The record is removed last: until then the schedule is listed and can be deleted again. */
export async function deleteSchedule(
  siteId: string,
  { orgId }: ScheduleCaller,
  { table, timetable }: Pick<ScheduleDeps, 'table' | 'timetable'>,
): Promise<void> {
  await ownSite(siteId, orgId, table);
  await timetable.remove(siteId);
  await table.removeMany([scheduleKey(siteId)]);
}

function planTooLow(frequency: Frequency, plan: Plan): AppError {
  const name = { free: 'Free', pro: 'Pro', enterprise: 'Enterprise' }[MIN_PLAN[frequency]];
  const message = `A crawl schedule with the frequency ${frequency} requires at least the ${name} plan`;
  return new AppError('plan_required', `${message}; this organisation has the plan ${plan}`);
}
