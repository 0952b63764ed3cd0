import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';
import { type WebSite, webSite } from '../support/web-site.ts';

const RYE =
  'Rye is sown in autumn, stands the winter and is cut in July; its flour makes dark bread that ' +
  'keeps a week. It grows ' +
  'where wheat fails: on sand, on acid soil and at heights of more than a thousand metres, and needs ' +
  'no second harrowing';
const page = (title: string, body: string) => `<html><title>${title}</title><body>${body}</body></html>`;

describe('marks of a site’s owner in pages', () => {
  let service: TestApi;
  let web: WebSite;
  let client: ApiClient;
  let siteId: string;
  let jobId: string;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    client = service.client(service.ready.apiKey);
    web = await webSite({
      '/': page(
        'Mill',
        '<p>The mill.</p><p data-search-ignore><a href=/rye>rye</a> <a href=/old/rye>old</a> zucchini</p>',
      ),
      '/rye': page(
        'Rye',
        `<p>${RYE}.</p><p data-nosnippet>Guild members write to guild@mill.example for tarragon.</p>`,
      ),
      '/old/rye': page(
        'Rye of last year',
        `<p>${RYE}, as before.</p><p data-nosnippet>Guild members write to guild@mill.example for tarragon.</p>`,
      ),
      '/frames': '<title>Frames</title><frameset rows="*"><frame src="/framed"></frameset>',
      '/framed': page('Framed', '<p>Spelt is an old grain.</p><div class="offer x"><p>Buy cardamom.</p></div>'),
    });
    siteId = await service.createSite(web.origin);
    jobId = await service.startCrawl(siteId);
    await service.ended(jobId);
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });

  const search = async (q: string) => {
    const { body } = await client('GET', `/v1/public/sites/${siteId}/search?q=${encodeURIComponent(q)}`);
    return listOf(body.results).map(({ url, snippet }) => [new URL(String(url)).pathname, String(snippet)] as const);
  };
  const pagesOf = async (job: string) => {
    const { body } = await client('GET', `/api/jobs/${job}/pages`);
    return new Map(listOf(body.pages).map((row) => [new URL(String(row.url)).pathname, row]));
  };
  const put = (crawlerConfig: unknown) => client('PUT', `/api/sites/${siteId}`, { body: { crawlerConfig } });

  it('a mark excludes text, but its links are followed', async () => {
    expect(await search('zucchini')).toEqual([]);
    expect([...(await pagesOf(jobId)).keys()].sort()).toEqual(['/', '/old/rye', '/rye']);
  });

  it('a mark keeps text out of snippets that a search finds', async () => {
    const [[path, snippet] = []] = await search('tarragon');
    expect(path).toBe('/rye');
    expect(snippet).toContain('Rye is sown');
    expect(snippet).not.toMatch(/tarragon|guild/i);
  });

  it('marked text does not count in near-duplicates, which the job names', async () => {
    const pages = await pagesOf(jobId);
    expect(pages.get('/old/rye')).toMatchObject({ outcome: 'indexed', nearDuplicateOf: `${web.origin}/rye` });
    expect(pages.get('/rye')).not.toHaveProperty('nearDuplicateOf');
    expect((await client('GET', `/api/jobs/${jobId}`)).body).toMatchObject({ nearDuplicates: 1 });
  });

  it('marked text does not count in near-duplicates when a crawl finds the pages unchanged', async () => {
    const again = await service.startCrawl(siteId);
    await service.ended(again);
    const near = { outcome: 'unchanged', nearDuplicateOf: `${web.origin}/rye` };
    expect((await pagesOf(again)).get('/old/rye')).toMatchObject(near);
  });

  it('marks apply to pages that are indexed already, even if these have not changed', async () => {
    await put({ singleUrls: ['/frames', '/framed'] });
    await service.ended(await service.startCrawl(siteId));
    expect((await search('cardamom')).map(([path]) => path)).toEqual(['/framed']);
    await put({ excludeSelectors: ['div.offer:not(.own)'], singleUrls: ['/framed'] });
    await service.ended(await service.startCrawl(siteId));
    expect(await search('cardamom')).toEqual([]);
    expect((await search('spelt')).map(([path]) => path)).toEqual(['/framed']);
  });

  it('marks are checked when they are saved, and cleared with null', async () => {
    const refused = await put({ contentSelector: 'main > {', excludeSelectors: ['.ad', 'p:hover'] });
    expect(refused.status).toBe(400);
    expect(listOf(refused.body.issues).map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringMatching(/^body\.crawlerConfig\.contentSelector: .*"\{" at character 8$/),
      expect.stringMatching(/^body\.crawlerConfig\.excludeSelectors\.1: .*:hover at character 2 is not supported$/),
    ]);
    const many = await put({ excludeSelectors: Array(30).fill('a b c d e f g h') });
    expect([many.status, JSON.stringify(many.body)]).toEqual([400, expect.stringContaining('at most 200 names')]);
    await put({ contentSelector: null, excludeSelectors: null });
    const { crawlerConfig } = (await client('GET', `/api/sites/${siteId}`)).body;
    expect(Object.keys(crawlerConfig as object)).not.toContain('excludeSelectors');
  });

  it('marks can be tried in one crawl', async () => {
    const { status } = await client('POST', `/api/sites/${siteId}/crawl`, { body: { contentSelector: '::x' } });
    expect(status).toBe(400);
  });
});
