import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { reviveJobs } from '../core/crawl/job/slice.ts';
import { retryMigration } from '../core/reindexing/retry-migration.ts';
import { resendCleanUps } from '../core/removal/clean-up.ts';
import { clock } from '../runtime/system.ts';

/** Runs every minute: resumes crawls, clean-ups and migrations that lost their message or worker. */
export async function handler(): Promise<void> {
  await reviveJobs({ table, queue, clock, trustLeases: true });
  await resendCleanUps({ table, queue, clock });
  await retryMigration({ table, queue, clock });
}
