import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import { EmbeddingsServer, type Mood } from '../support/embeddings-server.ts';
import { eventually } from '../support/eventually.ts';
import type { TestApi } from '../support/test-api.ts';

describe('a service with an embedding server', () => {
  let provider: EmbeddingsServer;
  let service: TestApi;
  let owner: ApiClient;
  let siteId: string;

  beforeAll(async () => {
    provider = await EmbeddingsServer.start();
    service = await openApi({ env: { ...provider.env, LOG_LEVEL: 'error' }, workers: true });
    owner = service.client(service.ready.apiKey);
    siteId = await service.createSite('https://www.example/');
    await ingest({ url: '/lantern', content: 'A lantern gives light.', contentType: 'text' });
  });
  afterAll(async () => {
    await service.end();
    provider.close();
  });

  const ingest = (...pages: object[]): Promise<Answer> =>
    owner('POST', `/api/sites/${siteId}/pages`, { body: { pages } });
  const search = (query: string): Promise<Answer> =>
    owner('POST', `/v1/public/sites/${siteId}/search`, { body: { query, minScore: 0 } });
  /** Waits for an answer that is not degraded: on a busy machine a vector may arrive too late. */
  const fullSearch = (query: string): Promise<Answer> =>
    eventually(async () => {
      const answer = await search(query);
      return answer.headers.get('x-search-degraded') === null && answer;
    });
  const pathsOf = ({ body }: Answer): readonly string[] =>
    listOf(body.results).map(({ url }) => new URL(String(url)).pathname);

  const MOODS: readonly Mood[] = [
    'failing',
    'silent',
    'busy',
    'refusing',
    'other dimensions',
    'too few',
    'no JSON',
    'gone',
  ];

  it.each(MOODS)(
    'searches by words alone while the embedding server is %s, reports it, and recovers afterwards',
    async (mood) => {
      provider.mood = mood;
      const started = performance.now();
      const degraded = await search('lantern');
      expect(performance.now() - started).toBeLessThan(2000);
      expect([degraded.status, degraded.headers.get('x-search-degraded')]).toEqual([200, '1']);
      expect(pathsOf(degraded)).toEqual(['/lantern']);
      expect(pathsOf(await search('zoogkrult'))).toEqual([]);
      provider.mood = 'well';
      expect(pathsOf(await fullSearch('zoogkrult'))).toEqual(['/lantern']);
    },
  );

  it('requests no vector for a chunk twice', async () => {
    provider.mood = 'well';
    const paragraph = (word: string) => `${`The ${word} is a part of the ship. `.repeat(40)}`;
    const parts = ['anchor', 'bell', 'compass', 'deck'];
    const content = parts.map((word) => `# ${word}\n\n${paragraph(word)}`).join('\n\n');
    const page = { url: '/ship', title: 'Ship', content, contentType: 'text' };
    await ingest(page);
    expect(provider.asked.filter((text) => text.startsWith('Ship')).length).toBeGreaterThan(3);
    provider.asked.length = 0;
    await ingest({ ...page, tags: ['new'] });
    await ingest({ ...page, url: '/the-same-elsewhere' });
    expect(provider.asked).toEqual([]);
    await ingest({ ...page, content: content.replace('The bell is', 'The old bell is') });
    expect(provider.asked).toHaveLength(1);
    expect(provider.asked[0]).toContain('old bell');
  });

  it.each<Mood>(['failing', 'too few'])('makes pages searchable by words while that server is %s', async (mood) => {
    provider.mood = mood;
    const url = `/${mood.replaceAll(' ', '-')}`;
    const answer = await ingest({ url, content: `A page that came while it was ${mood}.`, contentType: 'text' });
    expect(answer.body).toMatchObject({ success: true, processed: 1 });
    expect(pathsOf(await search(`came while ${mood}`))).toContain(url);
    provider.mood = 'well';
    expect(pathsOf(await fullSearch('zoogkrult'))).not.toContain(url);
    await ingest({ url, content: `A page that came while it was ${mood}.`, contentType: 'text' });
    expect(pathsOf(await fullSearch('zoogkrult'))).toContain(url);
  });
});
