import { table } from '#adapters/table';
import { type Clock, epochSeconds, isDue } from '../../lambdas/domain/clock.ts';
import { everyItem } from '../../lambdas/domain/every-item.ts';
import type { Queue } from '../../lambdas/domain/ports/queue.ts';
import type { Key, Table } from '../../lambdas/domain/ports/table.ts';
import type { Timetable } from '../../lambdas/domain/ports/timetable.ts';
import { queue } from './queue.ts';

type Deps = { readonly table: Table; readonly queue: Queue; readonly clock: Clock };

/** An entry of the timetable. Times are in epoch seconds. */
type Entry = { readonly siteId: string; readonly everySeconds: number; readonly dueAt: number };

const PK = 'TIMETABLE';
const entryKey = (siteId: string): Key => ({ pk: PK, sk: `SITE#${siteId}` });

/** Stores a `Timetable` in the table. `sendDue` is called every few seconds. */
export function tableTimetable({ table, queue, clock }: Deps): Timetable & { sendDue(): Promise<void> } {
  return {
    async set(siteId, everySeconds) {
      const dueAt = epochSeconds(clock) + everySeconds;
      await table.putMany([{ ...entryKey(siteId), siteId, everySeconds, dueAt }]);
    },

    remove: (siteId) => table.removeMany([entryKey(siteId)]),

    async sendDue() {
      for await (const entry of everyItem<Entry>(table, PK, 'SITE#')) {
        const now = epochSeconds(clock);
        const { siteId, everySeconds } = entry;
        if (!isDue(entry.dueAt, now, everySeconds)) continue;
        const dueAt = Math.min(entry.dueAt, now);
        await queue.send('starts', { body: JSON.stringify({ siteId, dueAt: new Date(dueAt * 1000).toISOString() }) });
        // Written after the message: a crash between the two sends the start twice, which `startScheduled` detects.
        const missed = Math.floor((now - dueAt) / everySeconds);
        const next = dueAt + (missed + 1) * everySeconds;
        await table.update(entryKey(siteId), { set: { dueAt: next }, when: { equals: { dueAt: entry.dueAt } } });
      }
    },
  };
}

export const timetable = tableTimetable({ table, queue, clock: Date.now });
