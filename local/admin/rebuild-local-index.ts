import { rebuildIndex } from '../../lambdas/domain/pages/reindexing/rebuild-index.ts';
import type { Table } from '../../lambdas/domain/ports/table.ts';
import { clock } from '../../lambdas/runtime/system.ts';
import { serverRuns } from '../sqlite/data-lock.ts';
import { queue } from '../sqlite/queue.ts';

/** The pause after which earlier writes have ended. */
const PAUSE_SECONDS = 10;

/** Puts all stored pages into the index again. The running server does the work, or the next one that starts. */
export async function rebuildLocalIndex(dataDir: string, table: Table): Promise<object> {
  const { step } = await rebuildIndex({
    table,
    queue,
    clock,
    fillAfterSeconds: 0,
    pauseSeconds: PAUSE_SECONDS,
    newName: () => 'sqlite', // SQLite has one index, in which each page replaces itself
    make: async () => false,
    canStay: () => false,
  });
  return { step, begins: serverRuns(dataDir) ? 'now' : 'at the next start' };
}
