import { dropIndex, openIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { runMigrationStep } from '../domain/pages/reindexing/migration-step.ts';
import { queues } from '../messages.ts';
import { report } from '../runtime/log.ts';
import { clock, halt, sleep } from '../runtime/system.ts';
import { worker } from '../runtime/worker.ts';

const indices = { open: openIndex, drop: dropIndex };

export const handler = worker(queues['move-index'], (message) =>
  runMigrationStep(message, { table, queue, pageStore, clock, sleep, halt, report, ...indices }),
);
