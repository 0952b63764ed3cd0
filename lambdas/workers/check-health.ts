import { embedder, indexReader } from '#adapters/index-reader';
import { pageStore } from '#adapters/page-store';
import { table } from '#adapters/table';
import { checkHealth } from '../domain/insight/health/check-health.ts';
import { queues } from '../messages.ts';
import { clock } from '../runtime/system.ts';
import { worker } from '../runtime/worker.ts';

export const handler = worker(queues['site-health'], (message) =>
  checkHealth(message, { table, pageStore, index: indexReader, embedder, clock }),
);
