import { type Clock, epochSeconds, isDue } from '../../clock.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Table } from '../../ports/table.ts';
import { changeIndexRegistry, readIndexRegistry, sendNextStep } from './index-registry.ts';

/** After this time without a change, the message is lost or in the dead-letter queue (messages.ts). */
const SILENCE_SECONDS = 3000;

/** Sends the step of a migration again, with a new version, if its message may have been lost. */
export async function retryMigration(deps: {
  readonly table: Table;
  readonly queue: Queue;
  readonly clock: Clock;
}): Promise<void> {
  const registry = await readIndexRegistry(deps.table);
  if (!registry?.step) return;
  if (!isDue(registry.changedAt + SILENCE_SECONDS, epochSeconds(deps.clock), SILENCE_SECONDS)) return;
  const changed = await changeIndexRegistry(registry, registry, deps);
  if (changed) await sendNextStep(changed, deps.queue);
}
