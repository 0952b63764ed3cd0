import { type Clock, epochSeconds } from '../clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { Table } from '../ports/table.ts';
import { changeSpaces, readSpaces, sendMove } from './index-registry.ts';

/** A move that has not changed for so long has lost its message, or that is a dead letter by now (messages.ts). */
const SILENCE_SECONDS = 3000;

/** Sends the step of a move again whose message may have been lost, as the next one. */
export async function resendMove(deps: {
  readonly table: Table;
  readonly queue: Queue;
  readonly clock: Clock;
}): Promise<void> {
  const record = await readSpaces(deps.table);
  if (!record?.step || epochSeconds(deps.clock) - record.changedAt < SILENCE_SECONDS) return;
  const changed = await changeSpaces(record, record, deps);
  if (changed) await sendMove(changed, deps.queue);
}
