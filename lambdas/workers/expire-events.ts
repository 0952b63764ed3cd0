import { eventLog } from '#adapters/event-log';
import { dayOf } from '../domain/ports/rules/days.ts';
import { clock } from '../runtime/system.ts';

const BATCH = 2000;
/** The limit of time for one run, in milliseconds. The next run continues. */
const TIME_MS = 100_000;

/** Removes events and counts past their retention period. Runs every day in AWS, every hour in the local service. */
export async function handler(): Promise<void> {
  const deadline = clock() + TIME_MS;
  while (clock() < deadline) if (await eventLog.removeExpired(dayOf(clock()), BATCH)) return;
}
