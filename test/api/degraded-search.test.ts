import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const DIMENSIONS = 8;
type Mood = 'well' | 'failing' | 'silent';

/** An embeddings server on loopback: every text has the same vector. The test sets its mood. */
async function answerEmbeddings(mood: Mood, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { input } = JSON.parse(await text(request)) as { input: string | readonly string[] };
  if (mood === 'silent') return;
  if (mood === 'failing') return void response.writeHead(500).end('{}');
  const data = [input]
    .flat()
    .map((_, index) => ({ index, object: 'embedding', embedding: Array(DIMENSIONS).fill(0.5) }));
  const body = { object: 'list', model: 'test', data, usage: { prompt_tokens: 1, total_tokens: 1 } };
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

describe('a search', () => {
  let mood: Mood = 'well';
  let provider: Server;
  let service: TestApi;
  let web: WebSite;
  let visitor: ApiClient;
  let siteId: string;

  beforeAll(async () => {
    provider = createServer((request, response) => void answerEmbeddings(mood, request, response));
    provider.unref();
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const OPENAI_BASE_URL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
    const env = { CRAWL_ALLOW_HOSTS: '127.0.0.1', OPENAI_BASE_URL, EMBEDDING_DIMENSIONS: String(DIMENSIONS) };
    service = await openApi({ env, workers: true });
    web = await webSite({ '/': htmlPage('Lantern', 'A lantern gives light.') });
    visitor = service.client();
    siteId = await service.createSite(web.origin);
    await service.ended(await service.startCrawl(siteId));
  });
  afterAll(async () => {
    await service.end();
    await web.close();
    provider.closeAllConnections();
    provider.close();
  });

  it.each([
    ['well', null, 'public, max-age=0, s-maxage=60', false],
    ['failing', '1', 'no-store', true],
    ['silent', '1', 'no-store', true],
    ['well', null, 'public, max-age=0, s-maxage=60', false],
  ] as const)(
    'with an embedding server that is %s finds the page in time, and says whether it is degraded',
    async (now, degraded, cache, byWordsAlone) => {
      mood = now;
      const path = `/v1/public/sites/${siteId}/search`;
      const started = performance.now();
      const { status, headers, body } = await visitor('GET', `${path}?q=lantern`);
      expect(performance.now() - started).toBeLessThan(3000);
      expect(status).toBe(200);
      expect(headers.get('x-search-degraded')).toBe(degraded);
      expect(headers.get('cache-control')).toBe(cache);
      expect(listOf(body.results)).toMatchObject([{ url: `${web.origin}/` }]);
      const unlike = await visitor('POST', path, { body: { query: 'zoogkrult', minScore: 0 } });
      expect(listOf(unlike.body.results)).toHaveLength(byWordsAlone ? 0 : 1);
    },
  );
});
