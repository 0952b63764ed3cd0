import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { embedPages } from '../../lambdas/domain/pages/embed-later.ts';
import { readAiUse, recordAiUse } from '../../lambdas/domain/sites/usage/ai-usage.ts';
import { listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import { EmbeddingsServer } from '../support/embeddings-server.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const MONTH = new Date().toISOString().slice(0, 7);
const LANTERN = { url: '/lantern', content: 'A lantern gives light.', contentType: 'text' };

describe('the embeddings of an organisation', () => {
  let provider: EmbeddingsServer;
  let service: TestApi;
  let owner: ApiClient;
  let web: WebSite;
  let siteId: string;

  beforeAll(async () => {
    provider = await EmbeddingsServer.start();
    web = await webSite({ '/': htmlPage('Harbour', 'The harbour has a lamp.') });
    service = await openApi({ env: { ...provider.env, CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    owner = service.client(service.ready.apiKey);
  });
  afterAll(async () => {
    await service.end();
    await web.close();
    provider.close();
  });
  beforeEach(async () => {
    siteId = await service.createSite(web.origin);
    provider.asked.length = 0;
  });

  const spend = (inputTokens: number) =>
    recordAiUse(
      service.ready.orgId,
      { kind: 'ingest', model: 'text-embedding-3-small', inputTokens },
      { table, clock: Date.now },
    );
  const used = async () => (await readAiUse(service.ready.orgId, MONTH, table))[0];
  const ingest = (more: object = {}) =>
    owner('POST', `/api/sites/${siteId}/pages`, { body: { pages: [{ ...LANTERN, ...more }] } });
  const found = async (query: string) => {
    const { body } = await owner('POST', `/v1/public/sites/${siteId}/search`, { body: { query, minScore: 0 } });
    return listOf(body.results).map(({ url }) => new URL(String(url)).pathname);
  };

  it('tokens are counted by month and model, for pages and for queries', async () => {
    await ingest();
    const pages = await used();
    expect(pages).toMatchObject({ kind: 'ingest', model: 'text-embedding-3-small', requests: 1, inputTokens: 1 });
    await found('lantern');
    expect(await used()).toMatchObject({ requests: 2, inputTokens: 2 });
  });

  it('embeddings wait when the tokens of the month are used up: until then words find the pages', async () => {
    await spend(100_000_000);
    expect((await ingest({ content: 'This lantern has no vector yet.' })).body).toMatchObject({ processed: 1 });
    expect((await service.ended(await service.startCrawl(siteId))).status).toBe('completed');
    expect(provider.asked).toEqual([]);
    expect(await found('lantern')).toEqual(['/lantern']);
    expect(await found('harbour')).toEqual(['/']);
    expect(await found('zoogkrult')).toEqual([]);
    await spend(-100_000_000);
    const { generation } = { generation: 1, ...(await table.get({ pk: `SITE#${siteId}`, sk: 'STATE' })) };
    const { pageIndex } = await import('#adapters/page-index');
    const { embedder } = await import('../../lambdas/connectors/embedder/configured.ts'); // reads the environment
    const message = { siteId, generation, urls: [`${web.origin}/lantern`, `${web.origin}/`], attempt: 0 };
    const deps = { table, queue, pageStore, pageIndex, embedder, clock: Date.now, report: () => undefined };
    await embedPages(message, deps);
    expect((await found('zoogkrult')).toSorted()).toEqual(['/', '/lantern']);
  });
});
