import { pageIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { embedder } from '../connectors/embedder/configured.ts';
import { refillSite } from '../domain/pages/refill-site.ts';
import { queues } from '../messages.ts';
import { report } from '../runtime/log.ts';
import { clock, halt, sleep } from '../runtime/system.ts';
import { worker } from '../runtime/worker.ts';

export const handler = worker(queues['refill-pages'], (message) =>
  refillSite(message, { table, queue, pageStore, pageIndex, embedder, clock, sleep, halt, report }),
);
