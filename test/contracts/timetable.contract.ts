import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Timetable } from '../../lambdas/domain/ports/timetable.ts';
import { newId } from '../../lambdas/runtime/system.ts';

export type OpenedTimetable = {
  readonly timetable: Timetable;
  /** Lets time pass while nothing runs, then lets the timetable run. */
  advance(seconds: number): Promise<void>;
  now(): number;
  /** The starts sent since the last call, in order: the site and the time at which it was due, epoch seconds. */
  sent(): Promise<readonly { readonly siteId: string; readonly dueAt: number }[]>;
  close(): Promise<void>;
};

const HOUR = 3600;
const WEEK = 7 * 24 * HOUR;

/** The promises of `Timetable`. EventBridge Scheduler cannot run them: no engine fires its schedules in a test. */
export function timetableContract(name: string, open: () => Promise<OpenedTimetable>): void {
  describe(`Timetable on ${name}`, () => {
    let opened: OpenedTimetable;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const dueTimes = async () => (await opened.sent()).map(({ dueAt }) => dueAt);

    it('sends the first start one interval after it is set, and not before', async () => {
      const siteId = newId();
      const set = opened.now();
      await opened.timetable.set(siteId, HOUR);
      await opened.advance(HOUR - 1);
      expect(await opened.sent()).toEqual([]);
      await opened.advance(1);
      expect(await opened.sent()).toEqual([{ siteId, dueAt: set + HOUR }]);
      await opened.timetable.remove(siteId);
    });

    it('sends each start of a month of hours once', async () => {
      const siteId = newId();
      const set = opened.now();
      const HOURS = 30 * 24;
      await opened.timetable.set(siteId, HOUR);
      for (let hour = 0; hour < HOURS; hour++) await opened.advance(HOUR);
      expect(await dueTimes()).toEqual(Array.from({ length: HOURS }, (_, hour) => set + (hour + 1) * HOUR));
      await opened.timetable.remove(siteId);
    });

    it('sends one start for all missed ones, and continues with the next of the same times', async () => {
      const siteId = newId();
      const set = opened.now();
      await opened.timetable.set(siteId, HOUR);
      await opened.advance(WEEK + HOUR / 2);
      await opened.advance(HOUR / 4);
      expect(await dueTimes()).toEqual([set + HOUR]);
      await opened.advance(HOUR / 4);
      expect(await dueTimes()).toEqual([set + WEEK + HOUR]);
      await opened.timetable.remove(siteId);
    });

    it('counts a replaced start from its replacement', async () => {
      const siteId = newId();
      await opened.timetable.set(siteId, HOUR);
      await opened.advance(HOUR / 2);
      const replaced = opened.now();
      await opened.timetable.set(siteId, WEEK);
      await opened.advance(WEEK);
      expect(await dueTimes()).toEqual([replaced + WEEK]);
      await opened.timetable.remove(siteId);
    });

    it('keeps the starts of sites separate, and sends none of a removed site', async () => {
      const [kept, removed] = [newId(), newId()];
      await opened.timetable.set(kept, HOUR);
      await opened.timetable.set(removed, HOUR);
      await opened.timetable.remove(removed);
      await opened.timetable.remove(removed);
      await opened.advance(HOUR);
      expect((await opened.sent()).map(({ siteId }) => siteId)).toEqual([kept]);
      await opened.timetable.remove(kept);
    });
  });
}
