import { COUNT_DAYS, EVENT_DAYS, type EventLog } from '../../../domain/ports/event-log.ts';
import { dayNumber, dayOf, dayOfNumber } from '../../../domain/ports/rules/days.ts';
import type { OpenSearchClient } from '../client.ts';
import { countsIn, type EventIndex, ensureEventIndex, eventLines, eventsIn, stateOf } from './event-index.ts';
import { markLate, nextDay, readLateMark, removeLateMark, rollUpDay, writeRolledUpTo } from './event-roll-up.ts';
import { everyIndex, ofPart } from './event-search.ts';
import { readRolledUpTo } from './event-state.ts';
import { deleteWhere, dropMonthsBefore, refreshEvents, writeLines } from './event-writes.ts';
import { type EventLogOptions, opensearchEventReader } from './opensearch-event-reader.ts';

/** Number of days after which a day is rolled up. Events that arrive later cause a second roll-up. */
const ROLLED_UP_AFTER_DAYS = 3;
const DAY_MS = 86_400_000;

export function opensearchEventLog(
  client: OpenSearchClient,
  { prefix = '', now = Date.now, queriesOfDay }: EventLogOptions & { readonly queriesOfDay?: number } = {},
): EventLog {
  const index: EventIndex = { client, prefix };
  const { forgetState, ...reads } = opensearchEventReader(client, { prefix, now });
  let ready: Promise<void> | undefined;
  /** Creates indexes and state once per process, before the first call. */
  const prepared = (): Promise<void> => {
    ready ??= prepare(index).catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    return ready;
  };
  return {
    ...reads,

    async append(events) {
      await prepared();
      await writeLines(
        index,
        events.map((event) => eventLines(index, event)),
      );
      const last = dayOf(now() - ROLLED_UP_AFTER_DAYS * DAY_MS);
      const late = new Set(events.map(({ at }) => dayOf(at)).filter((day) => day <= last));
      await markLate(index, [...late]);
    },

    async removeSite(siteId, limit) {
      await prepared();
      return deleteWhere(index, everyIndex(index), [{ term: { siteId } }], limit);
    },

    async removeExpired(today, limit) {
      const daysAgo = (days: number) => dayOfNumber(dayNumber(today) - days);
      const last = daysAgo(ROLLED_UP_AFTER_DAYS);
      await prepared();
      const before = await readRolledUpTo(index);
      const day = await nextDay(index, before, last);
      const mark = day === undefined ? undefined : await readLateMark(index, day);
      if (day !== undefined) await rollUpDay(index, day, queriesOfDay);
      const reached = latest(before, day ?? last);
      await refreshEvents(index, [countsIn(index)]);
      await writeRolledUpTo(index, reached);
      forgetState();
      if (mark) await removeLateMark(index, mark);
      if (day !== undefined) return false;
      const older = (days: number) => [{ range: { day: { lt: daysAgo(days) } } }];
      const noEvents = await deleteWhere(index, [eventsIn(index)], [ofPart('event'), ...older(EVENT_DAYS)], limit);
      const noCounts = await deleteWhere(index, [countsIn(index)], older(COUNT_DAYS), limit);
      if (noEvents) await dropMonthsBefore(index, daysAgo(EVENT_DAYS).slice(0, 7));
      return noEvents && noCounts;
    },
  };
}

async function prepare(index: EventIndex): Promise<void> {
  await ensureEventIndex(index);
  const path = `/${stateOf(index)}`;
  if (await index.client.send({ method: 'HEAD', path })) return;
  try {
    await index.client.send({ method: 'PUT', path });
  } catch (error) {
    if (!(await index.client.send({ method: 'HEAD', path }))) throw error; // otherwise a concurrent call created it
  }
}

const latest = (one: string | undefined, other: string): string => (one !== undefined && one > other ? one : other);
