import { batchesBySize } from '../batches.ts';
import type { LoggedEvent } from '../ports/logged-event.ts';
import type { Queue } from '../ports/queue.ts';

/** A message may have 262,144 bytes, and a character up to four. */
const MAX_BYTES = 240_000;

/** Sends events to the queue `telemetry`, as many as fit into each message. */
export async function sendEvents(events: readonly LoggedEvent[], queue: Queue): Promise<void> {
  for (const batch of batchesBySize(events, bytesOf, { size: MAX_BYTES }))
    await queue.send('telemetry', { body: JSON.stringify({ events: batch }) });
}

const bytesOf = (event: LoggedEvent): number => Buffer.byteLength(JSON.stringify(event)) + 1;
