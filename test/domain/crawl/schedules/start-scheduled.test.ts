import { beforeEach, describe, expect, it } from '@jest/globals';
import { cancelCrawl } from '../../../../lambdas/domain/crawl/jobs/end-crawl.ts';
import {
  deleteSchedule,
  listSchedules,
  setSchedule,
} from '../../../../lambdas/domain/crawl/schedules/manage-schedules.ts';
import { startScheduled } from '../../../../lambdas/domain/crawl/schedules/start-scheduled.ts';
import { cleanUpSite } from '../../../../lambdas/domain/pages/removal/clean-up.ts';
import { deleteSite } from '../../../../lambdas/domain/pages/removal/delete-site.ts';
import { setPlan } from '../../../../lambdas/domain/sites/access/organisation.ts';
import type { Plan } from '../../../../lambdas/domain/sites/access/plan.ts';
import { queues } from '../../../../lambdas/messages.ts';
import { newId } from '../../../../lambdas/runtime/system.ts';
import { tableTimetable } from '../../../../local/sqlite/timetable.ts';
import { IngestSite } from '../../../support/ingest-site.ts';
import { eventLog, pageIndex, pageStore, queue, table } from '../../../support/memory/stores.ts';

const DAY = 86_400;
const START = 1_900_000_000;

describe('a scheduled crawl', () => {
  let site: IngestSite;
  let seconds: number;
  const clock = () => seconds * 1000;
  const timetable = tableTimetable({ table, queue, clock });
  const deps = { table, queue, timetable, clock, newId };
  const caller = (plan: Plan = 'pro') => ({ orgId: site.orgId, plan });

  beforeEach(async () => {
    seconds = START;
    site = await IngestSite.open(clock);
    await setSchedule({ siteId: site.siteId, frequency: 'daily' }, caller(), deps);
  });

  /** Handles the messages of `starts`, each as often as it is delivered. */
  async function deliver(times = 1): Promise<void> {
    await timetable.sendDue();
    for (;;) {
      const [message] = await queue.receive('starts', { max: 1, waitSeconds: 0 });
      if (!message) return;
      const start = queues.starts.message.parse(JSON.parse(message.body));
      for (let time = 0; time < times; time++) await startScheduled(start, deps);
      await queue.acknowledge('starts', message.receipt);
    }
  }
  const running = async () => (await site.record()).state.runningJobId;
  const schedule = async (plan: Plan = 'pro') => (await listSchedules(site.siteId, caller(plan), deps))[0];
  const jobs = async () => (await table.query(`SITE#${site.siteId}`, { prefix: 'JOB#', limit: 1000 })).items.length;

  it('starts one interval after the schedule was set, and once each interval', async () => {
    await deliver();
    expect(await running()).toBeNull();
    for (let day = 1; day <= 3; day++) {
      seconds = START + day * DAY;
      await deliver();
      const jobId = await running();
      expect(jobId).not.toBeNull();
      await cancelCrawl(String(jobId), caller(), deps);
      expect(await jobs()).toBe(day);
    }
    const shown = { lastStartedAt: START + 3 * DAY, nextStartAt: START + 4 * DAY, skippedStarts: 0, enabled: true };
    expect(await schedule()).toMatchObject(shown);
  });

  it('does not start for a message of a schedule that was replaced', async () => {
    seconds += DAY;
    await timetable.sendDue();
    await setSchedule({ siteId: site.siteId, frequency: 'daily' }, caller(), deps);
    await deliver();
    expect(await running()).toBeNull();
    expect(await schedule()).toMatchObject({ skippedStarts: 0 });
  });

  it('starts once if its message is delivered twice, also after the crawl has ended', async () => {
    seconds += DAY;
    await deliver(3);
    expect(await jobs()).toBe(1);
    await cancelCrawl(String(await running()), caller(), deps);
    await startScheduled({ siteId: site.siteId, dueAt: START + DAY }, deps);
    expect(await jobs()).toBe(1);
    expect(await schedule()).toMatchObject({ skippedStarts: 0 });
  });

  it('is skipped and counted while another crawl runs', async () => {
    seconds += DAY;
    await deliver();
    seconds += DAY;
    await deliver(2);
    expect(await jobs()).toBe(1);
    expect(await schedule()).toMatchObject({ skippedStarts: 1, lastSkipReason: 'crawl_running' });
  });

  it('is skipped while the plan does not include its frequency, and starts again when it does', async () => {
    await setPlan(site.orgId, 'free', table);
    seconds += DAY;
    await deliver();
    expect(await running()).toBeNull();
    expect(await schedule('free')).toMatchObject({ enabled: false, skippedStarts: 1, lastSkipReason: 'plan_required' });
    await setPlan(site.orgId, 'pro', table);
    seconds += DAY;
    await deliver();
    expect(await running()).not.toBeNull();
  });

  it('a scheduled crawl starts within an interval after the system time was set back', async () => {
    seconds += DAY;
    await deliver();
    await cancelCrawl(String(await running()), caller(), deps);
    seconds -= 3 * DAY;
    await deliver();
    expect(await jobs()).toBe(2);
    await cancelCrawl(String(await running()), caller(), deps);
    await deliver(0);
    seconds += DAY;
    await deliver();
    expect(await jobs()).toBe(3);
  });

  it('of a deleted schedule does not start, even if its message was already sent', async () => {
    seconds += DAY;
    await timetable.sendDue();
    await deleteSchedule(site.siteId, caller(), deps);
    await deliver();
    expect(await jobs()).toBe(0);
    expect(await schedule()).toBeUndefined();
  });

  it('the schedule of a deleted site leaves the timetable', async () => {
    await deleteSite(site.siteId, { ...caller(), role: 'owner', keyId: 'key' }, deps);
    await cleanUpSite({ siteId: site.siteId }, { ...deps, pageStore, pageIndex, eventLog });
    expect(await table.get({ pk: 'TIMETABLE', sk: `SITE#${site.siteId}` })).toBeUndefined();
  });

  it('a schedule leaves the timetable at its next start if its deletion was missed', async () => {
    await table.removeMany([{ pk: `SITE#${site.siteId}`, sk: 'SCHEDULE' }]);
    seconds += DAY;
    await deliver();
    expect(await jobs()).toBe(0);
    expect(await table.get({ pk: 'TIMETABLE', sk: `SITE#${site.siteId}` })).toBeUndefined();
  });

  it('a start is not counted for the schedule that replaced its schedule', async () => {
    seconds += DAY;
    await deliver();
    await setSchedule({ siteId: site.siteId, frequency: 'weekly' }, caller(), deps);
    expect(await schedule()).toMatchObject({ frequency: 'weekly', skippedStarts: 0, nextStartAt: seconds + 7 * DAY });
    seconds += DAY;
    await deliver();
    expect(await schedule()).toMatchObject({ skippedStarts: 0 });
  });
});
