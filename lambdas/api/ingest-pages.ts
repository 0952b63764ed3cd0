import { pageIndex } from '#adapters/page-index';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { chatModel } from '../connectors/chat-model/configured.ts';
import { embedder } from '../connectors/embedder/configured.ts';
import { UnavailableError } from '../domain/errors.ts';
import { ingestPages } from '../domain/pages/ingest/ingest-pages.ts';
import { ownSite } from '../domain/sites/site.ts';
import { content } from '../routes/content.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { log } from '../runtime/log.ts';
import { clock, sleep } from '../runtime/system.ts';

const report = (message: string, error: unknown): void =>
  log(error instanceof UnavailableError ? 'warn' : 'error', message, { error });

export const handler = endpoint(content['ingest-pages'], async ({ params, body, caller, receivedAt }) => {
  const site = await ownSite(params.siteId, caller.orgId, table);
  const deps = { table, queue, pageStore, pageIndex, embedder, model: chatModel, clock, sleep, report };
  return ingestPages(site, body.pages, { plan: caller.plan, receivedAt }, deps);
});
