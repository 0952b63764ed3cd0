import { pageIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { chatModel } from '../connectors/chat-model/configured.ts';
import { embedder } from '../connectors/embedder/configured.ts';
import { enrichPages } from '../domain/pages/enrichment/enrich-later.ts';
import { queues } from '../messages.ts';
import { report } from '../runtime/log.ts';
import { clock, sleep } from '../runtime/system.ts';
import { worker } from '../runtime/worker.ts';

const deps = { table, queue, pageStore, pageIndex, embedder, clock, sleep, report };

/** Enriches pages. Without a configured model, it drops messages that were sent for an earlier one. */
export const handler = worker(queues['enrich-pages'], async (message) => {
  if (chatModel) await enrichPages(message, { ...deps, model: chatModel });
});
