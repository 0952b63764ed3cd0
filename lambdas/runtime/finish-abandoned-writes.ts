import { pageIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { table } from '#adapters/table';
import { embedder } from '../connectors/embedder/configured.ts';
import { finishWrites } from '../domain/pages/finish-writes.ts';
import { abandonedBefore } from '../domain/pages/pending-writes.ts';
import { report } from './log.ts';
import { clock } from './system.ts';

/** Completes writes of pages whose writer has died. */
export const finishAbandonedWrites = (): Promise<void> =>
  finishWrites(abandonedBefore(clock), { table, pageStore, pageIndex, embedder, clock, report });
