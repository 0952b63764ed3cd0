import type { Queue } from '../../ports/queue.ts';
import type { IndexRegistry } from './index-registry.ts';

export async function sendNextStep({ step, version }: IndexRegistry, queue: Queue): Promise<void> {
  if (step === undefined) return;
  const message = { body: JSON.stringify({ version }), group: 'SPACE', deduplicationId: `version-${version}` };
  await queue.send('move-index', message);
}
