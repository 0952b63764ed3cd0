import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pageStore } from '#adapters/page-store';
import { queue } from '#adapters/queue';
import { table } from '#adapters/table';
import { enrichPages } from '../../lambdas/domain/pages/enrichment/enrich-later.ts';
import { readAiUse } from '../../lambdas/domain/sites/usage/ai-usage.ts';
import { type Json, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import { ChatServer } from '../support/chat-server.ts';
import { eventually } from '../support/eventually.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const MONTH = new Date().toISOString().slice(0, 7);
const MADE = { title: 'A made title', summary: 'What the page says, in short.', tags: ['made', 'short'] };

describe('the enrichment of pages by a model', () => {
  let provider: ChatServer;
  let service: TestApi;
  let owner: ApiClient;
  let web: WebSite;
  let siteId: string;
  let count = 0;

  beforeAll(async () => {
    provider = await ChatServer.start();
    web = await webSite({ '/': htmlPage('Harbour', 'The harbour has a lamp, which is lit at dusk.') });
    service = await openApi({
      env: { ...provider.env, CRAWL_ALLOW_HOSTS: '127.0.0.1', LOG_LEVEL: 'error' },
      workers: true,
    });
    owner = service.client(service.ready.apiKey);
  });
  afterAll(async () => {
    await service.end();
    await web.close();
    provider.close();
  });
  beforeEach(async () => {
    provider.mood = 'well';
    provider.says = () => JSON.stringify(MADE);
    provider.asked.length = 0;
    siteId = await service.createSite(web.origin);
  });

  const newText = () => `A lantern gives light, and this is lantern number ${++count}.`;
  const ingest = (page: object) =>
    owner('POST', `/api/sites/${siteId}/pages`, { body: { pages: [{ url: '/lantern', ...page }] } });
  const listed = async (): Promise<Json | undefined> =>
    listOf((await owner('GET', `/api/sites/${siteId}/pages`)).body.items)[0];

  it('a model adds what a text lacks', async () => {
    await ingest({ content: newText(), contentType: 'text' });
    expect(await listed()).toMatchObject(MADE);
    await ingest({ content: newText(), contentType: 'text', title: 'Mine', tags: ['own'] });
    expect(await listed()).toMatchObject({ title: 'Mine', summary: MADE.summary, tags: ['own'] });
    expect(provider.asked).toHaveLength(2);
    const { messages, response_format } = provider.asked[0] ?? {};
    expect(messages?.at(-1)?.content).toContain('A lantern gives light');
    expect(response_format).toMatchObject({ type: 'json_schema' });
  });

  it('a model adds summary and tags to HTML that has a title', async () => {
    const content = `<html><head><title>Own title</title></head><body><main><p>${newText()}</p></main></body></html>`;
    await ingest({ content });
    expect(await listed()).toMatchObject({ title: 'Own title', summary: MADE.summary, tags: MADE.tags });
  });

  it('a model adds nothing to a page that is complete or was processed before', async () => {
    const given = { title: 'T', summary: 'S', tags: ['t'], contentType: 'text' };
    await ingest({ content: newText(), ...given });
    await ingest({ content: newText(), preProcessed: true });
    expect(provider.asked).toEqual([]);
  });

  it('the same content is enriched and paid once, and counted', async () => {
    const content = newText();
    await ingest({ content, contentType: 'text' });
    await ingest({ content, contentType: 'text', key: 'another-request' });
    await owner('POST', `/api/sites/${siteId}/purge`);
    await ingest({ content, contentType: 'text' });
    expect(await listed()).toMatchObject(MADE);
    expect(provider.asked).toHaveLength(1);
    const uses = await readAiUse(service.ready.orgId, MONTH, table);
    expect(uses).toContainEqual(expect.objectContaining({ kind: 'ingest', model: 'gpt-4.1-mini' }));
  });

  it.each(['no JSON at all', '{"title": 7}', '[]'])('is nothing if the model answers %p', async (answer) => {
    provider.says = () => answer;
    const { body } = await ingest({ content: newText(), contentType: 'text', title: 'Mine' });
    expect(body).toMatchObject({ success: true });
    expect((await listed())?.title).toBe('Mine');
  });

  it.each([
    [{ ...MADE, tags: 'made, short' }, MADE],
    [{ ...MADE, tags: ['made', null, ['x'], 'sh\u0000o\ud800rt\u200b'] }, MADE],
    [
      { title: 7, tags: MADE.tags },
      { title: 'Mine', tags: MADE.tags },
    ],
    [{ summary: MADE.summary }, { title: 'Mine', summary: MADE.summary }],
  ])('is what of the answer has the right type: %j', async (answer, page) => {
    provider.says = () => JSON.stringify(answer);
    const content = `${newText()} It is mine.`;
    await ingest({ content, contentType: 'text', ...(page.title === 'Mine' && { title: 'Mine' }) });
    expect(await listed()).toMatchObject(page);
  });

  it('enrichment waits while the provider fails, and the page can be searched before', async () => {
    provider.mood = 'gone';
    const content = newText();
    expect((await ingest({ content, contentType: 'text', title: 'Mine' })).body).toMatchObject({ success: true });
    expect((await listed())?.tags).not.toEqual(MADE.tags);
    const [message] = await queuedMessages();
    provider.mood = 'well';
    const { pageIndex } = await import('#adapters/page-index');
    const { embedder } = await import('../../lambdas/connectors/embedder/configured.ts'); // reads the environment
    const { openaiChatModel } = await import('../../lambdas/connectors/chat-model/openai.ts');
    const key = { read: async () => 'none', forget: () => undefined };
    const model = openaiChatModel({ key, baseUrl: provider.url, model: 'gpt-4.1-mini' });
    const deps = { table, queue, pageStore, pageIndex, embedder, clock: Date.now, report: () => undefined };
    await enrichPages(message, { ...deps, model, sleep: async () => undefined });
    expect(await listed()).toMatchObject({ title: 'Mine', summary: MADE.summary, tags: MADE.tags });
  });

  it('enrichment follows a crawl', async () => {
    await service.ended(await service.startCrawl(siteId));
    const page = await eventually(async () => {
      const found = await listed();
      return String(found?.summary) === MADE.summary && found;
    }, 30_000);
    expect(page).toMatchObject({ title: 'Harbour', tags: MADE.tags });
  });

  /** The message that the site's last ingest has sent. */
  async function queuedMessages() {
    const row = (await table.query(`SITE#${siteId}`, { prefix: 'G#', limit: 50 })).items.find(({ sk }) =>
      sk.includes('#PAGE#'),
    );
    const wanted = ['summary', 'tags'] as const;
    const pages = [{ url: `${web.origin}/lantern`, contentHash: String(row?.contentHash), wanted }];
    return [{ siteId, generation: Number(/^G#0*(\d+)#/.exec(row?.sk ?? '')?.[1]), pages, attempt: 0 }] as const;
  }
});
