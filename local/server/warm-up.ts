import { randomUUID } from 'node:crypto';
import { embedder, index } from '#adapters/search-index';
import { table } from '#adapters/table';
import { DEFAULT_MIN_SCORE, DEFAULT_OPTIONS } from '../../lambdas/domain/search/search-request.ts';
import { searchSite } from '../../lambdas/domain/search/search-site.ts';
import { readSite } from '../../lambdas/domain/sites/site.ts';
import type { ApiEvent } from '../../lambdas/runtime/api-event.ts';
import { CONTEXT, handlerOf } from '../threads/endpoint-handler.ts';

/** V8 compiles the loops of a search after some ten searches. */
const SEARCHES = 16;
const MAX_MS = 1000;

/**
 * Searches a site for some of its titles, as they are and with a letter too many: the first searches load code and
 * index, and run uncompiled. These searches count against no limit and are not counted in analytics.
 */
export async function warmUp(siteId: string): Promise<void> {
  if (!embedder.isFree) return; // a provider's vectors cost money
  await warmUpHandler(siteId);
  const site = await readSite(siteId, table);
  if (!site) return;
  const end = performance.now() + MAX_MS;
  const { items } = await index.find({ siteId, generation: site.state.generation }, { text: '', limit: SEARCHES / 2 });
  for (const query of items.flatMap(({ title }) => [title, `${title}x`])) {
    if (performance.now() > end) return;
    const request = { ...DEFAULT_OPTIONS, query, limit: 10, offset: 0, minScore: DEFAULT_MIN_SCORE };
    await searchSite(site, request, { index, embedder, clock: Date.now });
  }
}

/** Runs a search that counts against no visitor's address. As a further page of results, analytics do not count it. */
async function warmUpHandler(siteId: string): Promise<void> {
  const event = {
    httpMethod: 'GET',
    path: `/v1/public/sites/${siteId}/search`,
    headers: {},
    pathParameters: { siteId },
    queryStringParameters: { q: 'warm up', offset: '1' },
    body: null,
    requestContext: { requestId: randomUUID(), identity: { sourceIp: '' } },
  };
  const search = await handlerOf('search-site');
  await search(event as unknown as ApiEvent, CONTEXT);
}
