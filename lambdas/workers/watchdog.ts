import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { reviveJobs } from '../domain/crawl/jobs/recover-jobs.ts';
import { abandonedBefore, hasPendingWrites } from '../domain/pages/pending-writes.ts';
import { retryMigration } from '../domain/pages/reindexing/retry-migration.ts';
import { resendCleanUps } from '../domain/pages/removal/clean-up.ts';
import { resendDeliveries } from '../domain/webhooks/deliver.ts';
import { clock } from '../runtime/system.ts';

/**
 * Runs every minute. Resumes crawls, clean-ups, webhooks and migrations that lost their message or worker. Completes
 * writes of pages whose writer has died.
 */
export async function handler(): Promise<void> {
  await reviveJobs({ table, queue, clock, trustLeases: true });
  await resendCleanUps({ table, queue, clock });
  await resendDeliveries({ table, queue, clock });
  await retryMigration({ table, queue, clock });
  if (!(await hasPendingWrites(abandonedBefore(clock), { table, clock }))) return;
  // Only this step needs the index and the embedder. A wrong setting of these must not prevent crawls from being
  // resumed.
  const { finishAbandonedWrites } = await import('../runtime/finish-abandoned-writes.ts');
  await finishAbandonedWrites();
}
