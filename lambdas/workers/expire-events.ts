import { eventLog } from '#adapters/event-log';
import { dayOf } from '../domain/ports/rules/days.ts';
import { clock } from '../runtime/system.ts';

const BATCH = 2000;
/** The next run, a day later, goes on. */
const TIME_MS = 100_000;

/** Runs every day: removes events and counts that are older than the event log keeps them. */
export async function handler(): Promise<void> {
  const deadline = clock() + TIME_MS;
  while (clock() < deadline) if (await eventLog.removeExpired(dayOf(clock()), BATCH)) return;
}
