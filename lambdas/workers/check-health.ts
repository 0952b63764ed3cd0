import { pageStoreReader as pageStore } from '#adapters/page-store';
import { embedder, index } from '#adapters/search-index';
import { table } from '#adapters/table';
import { checkHealth } from '../domain/insight/health/check-health.ts';
import { queues } from '../messages.ts';
import { clock } from '../runtime/system.ts';
import { worker } from '../runtime/worker.ts';

export const handler = worker(queues['site-health'], (message) =>
  checkHealth(message, { table, pageStore, index, embedder, clock }),
);
