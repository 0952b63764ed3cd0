import { type Clock, epochSeconds } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Queue } from '../../ports/queue.ts';
import type { FieldChanges, Table } from '../../ports/table.ts';
import type { Timetable } from '../../ports/timetable.ts';
import { readOrganisation } from '../../sites/access/organisation.ts';
import { readSite } from '../../sites/site.ts';
import { startCrawl } from '../jobs/start-crawl.ts';
import { isEnabled, type Schedule, scheduleKey } from './schedule.ts';

export type ScheduledStart = {
  readonly siteId: string;
  /** Epoch seconds. It identifies the start, which may be delivered more than once. */
  readonly dueAt: number;
};

type StartDeps = {
  readonly table: Table;
  readonly queue: Queue;
  readonly timetable: Timetable;
  readonly clock: Clock;
  readonly newId: () => string;
};

/** Starts a due crawl once. A start that is impossible is counted as skipped. */
export async function startScheduled({ siteId, dueAt }: ScheduledStart, deps: StartDeps): Promise<void> {
  const { table, timetable, clock } = deps;
  const [site, schedule] = await Promise.all([readSite(siteId, table), table.get<Schedule>(scheduleKey(siteId))]);
  const organisation = site && (await readOrganisation(site.settings.orgId, table));
  // The site or its schedule was deleted, but the timetable was not updated.
  if (!schedule || !organisation) return timetable.remove(siteId);
  const now = epochSeconds(clock);
  if (dueAt <= schedule.createdAt && schedule.createdAt <= now) return; // a late start of an earlier schedule
  // If the system's time was set back, the last start seems to be later than this one.
  const { lastDueAt = 0 } = schedule;
  const isNext =
    lastDueAt > now
      ? { equals: { id: schedule.id, lastDueAt } }
      : { equals: { id: schedule.id }, below: { lastDueAt: dueAt } };
  const handled = (changes: FieldChanges) => ({
    update: scheduleKey(siteId),
    ...changes,
    set: { ...changes.set, lastDueAt: dueAt },
    when: isNext,
  });
  try {
    if (!isEnabled(schedule, organisation.plan)) throw new AppError('plan_required', 'the plan has fallen');
    const started = handled({ set: { lastStartedAt: now } });
    await startCrawl({ siteId, overrides: {}, alsoWritten: [started] }, organisation, deps);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await table.write([handled({ set: { lastSkipReason: error.code }, add: { skippedStarts: 1 } })]);
  }
}
