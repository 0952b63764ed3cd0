import { pageIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { embedder } from '../connectors/embedder/configured.ts';
import { embedPages } from '../domain/pages/embed-later.ts';
import { queues } from '../messages.ts';
import { report } from '../runtime/log.ts';
import { clock } from '../runtime/system.ts';
import { worker } from '../runtime/worker.ts';

export const handler = worker(queues['embed-pages'], (message) =>
  embedPages(message, { table, queue, pageStore, pageIndex, embedder, clock, report }),
);
