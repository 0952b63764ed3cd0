import type { Queue } from '../ports/queue.ts';
import type { LoggedEvent } from './logged-event.ts';

/** A message may have 262,144 bytes, and a character up to four. */
const MAX_BYTES = 240_000;

/** Sends events to the queue `telemetry`, as many as fit into each message. */
export async function sendEvents(events: readonly LoggedEvent[], queue: Queue): Promise<void> {
  for (const batch of batchesOf(events)) await queue.send('telemetry', { body: JSON.stringify({ events: batch }) });
}

function batchesOf(events: readonly LoggedEvent[]): readonly (readonly LoggedEvent[])[] {
  const batches: LoggedEvent[][] = [];
  let bytes = Infinity;
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event)) + 1;
    bytes += size;
    if (bytes > MAX_BYTES) {
      batches.push([]);
      bytes = size;
    }
    batches.at(-1)?.push(event);
  }
  return batches;
}
