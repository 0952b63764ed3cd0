import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, type Json, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const FREE = 'API access requires Pro or Enterprise plan';

const shop = (body: string): string => `<!doctype html><html lang="en"><head><title>Storm lantern</title>
<meta name="description" content="A lamp for bad weather."><meta name="keywords" content="Lamps, Outdoors"></head><body>
<nav><ul><li><a href="/jobs">Vacancies</a></li><li><a href="/press">Press office</a></li></ul></nav>
<main><h1>Storm lantern</h1>${body}</main><footer>Imprint and newsletter</footer></body></html>`;

describe('POST /sites/{siteId}/pages', () => {
  let service: TestApi;
  let web: WebSite;
  let owner: ApiClient;
  let siteId: string;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    web = await webSite({
      '/': htmlPage('Harbour', 'Ships are here.', ['/pier']),
      '/pier': htmlPage('Pier', 'A long one.'),
    });
    owner = service.client(service.ready.apiKey);
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });
  beforeEach(async () => {
    siteId = await service.createSite(web.origin);
  });

  const post = (pages: unknown, as = owner): Promise<Answer> =>
    as('POST', `/api/sites/${siteId}/pages`, { body: { pages } });
  const results = async (...pages: unknown[]): Promise<readonly Json[]> => listOf((await post(pages)).body.results);
  const search = async (query: string, more: object = {}): Promise<readonly Json[]> => {
    const answer = await owner('POST', `/v1/public/sites/${siteId}/search`, { body: { query, ...more } });
    return listOf(answer.body.results);
  };
  const found = async (query: string, more: object = {}): Promise<readonly string[]> =>
    (await search(query, more)).map(({ url }) => new URL(String(url)).pathname);
  const listed = async (): Promise<readonly Json[]> =>
    listOf((await owner('GET', `/api/sites/${siteId}/pages`)).body.items);
  const facts = async (): Promise<Json> => (await owner('GET', `/api/sites/${siteId}`)).body;

  it('answers once the pages are searchable', async () => {
    const answer = await post([
      { url: '/lantern', content: shop('<p>It burns paraffin, even in a gale.</p>') },
      { url: 'https://elsewhere.example/bell', content: 'A bell tells the hours.', contentType: 'text' },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.body).toEqual({
      success: true,
      processed: 2,
      skipped: 0,
      failed: 0,
      results: [
        { url: '/lantern', status: 'success', chunks: 1, isNew: true, processingTimeMs: expect.any(Number) },
        {
          url: 'https://elsewhere.example/bell',
          status: 'success',
          chunks: 1,
          isNew: true,
          processingTimeMs: expect.any(Number),
        },
      ],
    });
    expect(await search('paraffin gale')).toMatchObject([{ url: `${web.origin}/lantern`, title: 'Storm lantern' }]);
    expect(await search('bell hours')).toMatchObject([{ url: 'https://elsewhere.example/bell' }]);
    expect(await facts()).toMatchObject({ status: 'ready', pageCount: 2 });
  });

  it('reads metadata from the HTML, and removes boilerplate', async () => {
    await post([{ url: '/lantern', content: shop('<p>It burns paraffin, even in a gale.</p>') }]);
    expect(await listed()).toMatchObject([
      { title: 'Storm lantern', summary: 'A lamp for bad weather.', tags: ['Lamps', 'Outdoors'] },
    ]);
    expect(await found('vacancies')).toEqual([]);
    expect(await found('newsletter')).toEqual([]);
  });

  it('prefers the metadata of the request to that of the page', async () => {
    const said = {
      title: 'Gale lamp',
      summary: 'For sailors.',
      tags: ['Ship'],
      publishedAt: '2024-05-06',
      language: 'en-GB',
    };
    await post([{ url: '/lantern', content: shop('<p>It burns paraffin.</p>'), ...said }]);
    const [page] = await listed();
    expect(page).toMatchObject({
      title: 'Gale lamp',
      summary: 'For sailors.',
      tags: ['Ship'],
      publishedAt: '2024-05-06',
    });
    expect(await found('paraffin', { filters: { tags: 'Ship', language: 'en', publishedAt: '2024-05-06' } })).toEqual([
      '/lantern',
    ]);
    expect(await search('gale lamp')).toMatchObject([{ title: 'Gale lamp', metadata: { summary: 'For sailors.' } }]);
  });

  it('keeps given metadata of plain text, and derives missing metadata from the text', async () => {
    const content = `# Mooring ropes

A ship is moored by its mooring ropes at the quay. The crew of the ship looks after them at each change of the tide.

## Mooring ropes of hemp

Old mooring ropes are of hemp, which is heavy when it is wet. The mooring ropes of today are made of nylon.`;
    const everything = { title: 'How to moor', summary: 'Ropes.', tags: ['Quay'] };
    const [whole, bare] = await results(
      { url: '/whole', content, contentType: 'text', ...everything },
      { url: '/bare', content, contentType: 'text' },
    );
    expect([whole?.status, bare?.status]).toEqual(['success', 'success']);
    const [read, given] = await listed();
    expect(given).toMatchObject({ url: `${web.origin}/whole`, ...everything });
    expect(read).toMatchObject({ url: `${web.origin}/bare`, title: 'Mooring ropes' });
    expect(read?.summary).toMatch(/^A ship is moored .*tide\.$/);
    expect(listOf(read?.tags).map((tag) => String(tag).toLowerCase())).toContain('mooring ropes');
    expect((await found('hemp ropes')).toSorted()).toEqual(['/bare', '/whole']);
  });

  it('keeps the whole text of preprocessed pages', async () => {
    const content = '<nav>Vacancies</nav><p>It burns paraffin.</p><aside>Newsletter</aside><script>var hidden</script>';
    await post([{ url: '/clean', content, title: 'Lantern', preProcessed: true }]);
    for (const word of ['vacancies', 'paraffin', 'newsletter']) expect(await found(word)).toEqual(['/clean']);
    expect(await found('hidden')).toEqual([]);
  });

  it('makes metadata available to filters and facets', async () => {
    const metadataSchema = [
      { name: 'price', type: 'number' },
      { name: 'color', type: 'string', facet: true },
      { name: 'since', type: 'date' },
    ];
    await owner('PUT', `/api/sites/${siteId}`, { body: { metadataSchema } });
    const lamp = (n: number, metadata: object) => ({
      url: `/${n}`,
      content: `Lamp number ${n}.`,
      contentType: 'text',
      metadata,
    });
    await post([
      lamp(1, { price: 9.5, color: 'red', since: '2024-01-01', nested: { color: 'red' } }),
      lamp(2, { price: 10, color: ['red', 'blue'], since: '2024-06-30' }),
      lamp(3, { price: '100', color: 'blue', odd: null }),
    ]);
    const filtered = async (filters: object) => (await found('lamp', { filters, minScore: 0 })).toSorted();
    expect(await filtered({ price: { gte: 9.6, lte: 100 } })).toEqual(['/2', '/3']);
    expect(await filtered({ color: 'red' })).toEqual(['/1', '/2']);
    expect(await filtered({ color: ['blue'], price: 10 })).toEqual(['/2']);
    expect(await filtered({ since: { lte: '2024-06-30' } })).toEqual(['/1', '/2']);
    const { body } = await owner('POST', `/v1/public/sites/${siteId}/search`, {
      body: { query: 'lamp', facets: ['color'] },
    });
    expect(listOf(body.facets)).toMatchObject([
      {
        name: 'color',
        values: [
          { value: 'blue', count: 2 },
          { value: 'red', count: 2 },
        ],
      },
    ]);
  });

  it('returns custom metadata unchanged, except under built-in names', async () => {
    const own = { price: '010', color: ['red', 'red'], nested: { deep: [1, null, true] }, 'any name': 0.5 };
    const metadata = { ...own, tags: 'mine', crawledAt: 'never', publishedAt: 1, summary: 'mine' };
    await post([
      { url: '/own', content: 'A lamp.', contentType: 'text', metadata, summary: 'Shines.', tags: ['lamp'] },
    ]);
    const { body } = await owner('POST', `/v1/public/sites/${siteId}/search`, { body: { query: 'lamp' } });
    const [{ metadata: shown } = { metadata: {} }] = listOf(body.results) as { metadata: object }[];
    expect(shown).toEqual({ ...own, summary: 'Shines.', tags: ['lamp'], crawledAt: expect.stringMatching(/^20/) });
  });

  it('skips unchanged pages, and replaces changed ones for all later searches', async () => {
    const page = { url: '/lantern', content: 'It burns paraffin.', contentType: 'text' };
    await post([page]);
    expect((await post([page])).body).toMatchObject({
      success: true,
      processed: 0,
      skipped: 1,
      results: [{ status: 'skipped', isNew: false }],
    });
    expect(await results({ ...page, content: 'It is electric now.' })).toMatchObject([
      { status: 'success', isNew: false },
    ]);
    expect([await found('paraffin'), await found('electric')]).toEqual([[], ['/lantern']]);
    expect(await facts()).toMatchObject({ pageCount: 1 });
  });

  it('shows the URL as it was given, and recognises its other spellings', async () => {
    const url = 'HTTPS://WWW.Example:443/a/../Page?utm_source=mail&x=1#top';
    const shown = 'https://www.example/Page?utm_source=mail&x=1#top';
    await results({ url, content: 'A page of amber.', contentType: 'text' });
    expect(
      await results({ url: 'https://www.example/Page?x=1', content: 'A page of basil.', contentType: 'text' }),
    ).toMatchObject([{ isNew: false }]);
    expect(await results({ url, content: 'A page of cobalt.', contentType: 'text' })).toMatchObject([
      { url, isNew: false },
    ]);
    expect(await listed()).toMatchObject([{ url: shown }]);
    expect(await search('cobalt')).toMatchObject([{ url: shown }]);
  });

  it('lists URLs as they were given over all pages of the list, each once', async () => {
    const given = ['/a#top', '/b?utm_source=mail', '/c', '/D?q=%7e', '/é'].map((path) => `https://www.example${path}`);
    await post(given.map((url) => ({ url, content: `A page at ${url}.`, contentType: 'text', title: 'A page' })));
    const shown = given.map((url) => new URL(url).href);
    for (const search of ['', '&search=WWW.example', '&search=a+PAGE']) {
      const seen: string[] = [];
      for (let cursor = '', hasMore = true; hasMore && seen.length <= shown.length; ) {
        const { body } = await owner('GET', `/api/sites/${siteId}/pages?limit=2${search}${cursor}`);
        seen.push(...listOf(body.items).map(({ url }) => String(url)));
        hasMore = String(body.hasMore) === 'true';
        cursor = `&cursor=${encodeURIComponent(String(body.nextCursor))}`;
      }
      expect(seen.toSorted()).toEqual(shown.toSorted());
    }
  });

  it('an ingested page is not undone by a crawl, and replaces a crawled page', async () => {
    const crawl = async () => service.ended(await service.startCrawl(siteId));
    await post([{ url: '/', content: 'The owner says: closed.', contentType: 'text' }]);
    expect(await crawl()).toMatchObject({ status: 'completed', pagesProcessed: 1, pagesSkipped: 1 });
    expect(await found('closed')).toEqual(['/']);
    expect(await results({ url: '/pier', content: 'The owner says: rebuilt.', contentType: 'text' })).toMatchObject([
      { status: 'success', isNew: false },
    ]);
    expect(await crawl()).toMatchObject({ status: 'completed', pagesProcessed: 0, pagesSkipped: 2 });
    expect(await found('rebuilt')).toEqual(['/pier']);
    expect(await facts()).toMatchObject({ pageCount: 2, status: 'ready' });
  });

  it('indexes the valid pages of a request with invalid ones', async () => {
    const [bad, good, number] = await results(
      { url: '/bad' },
      { url: '/good', content: 'A good page.', contentType: 'text' },
      7,
    );
    expect(bad).toEqual({ url: '/bad', status: 'error', error: expect.stringContaining('content') });
    expect(good).toMatchObject({ status: 'success' });
    expect(number).toMatchObject({ url: '', status: 'error' });
    expect(await found('good page')).toEqual(['/good']);
  });

  it('accepts 100 unusual pages at once', async () => {
    const odd = [
      '\u0000',
      '\ud800',
      '<'.repeat(5000),
      '🏮'.repeat(2000),
      '# \n'.repeat(3000),
      '{"a":1}',
      'ﷺ'.repeat(900),
    ];
    const pages = Array.from({ length: 100 }, (_, n) => {
      const text = odd[n % odd.length] ?? '';
      const content = `${text} Number${n}`;
      return {
        url: `/p/${n}`,
        content,
        contentType: n % 2 ? 'text' : 'html',
        key: text.slice(0, 500),
        title: text.slice(0, 1000),
      };
    });
    const { body } = await post(pages);
    expect(listOf(body.results).filter(({ status }) => String(status) !== 'success')).toEqual([]);
    expect(await facts()).toMatchObject({ pageCount: 100 });
    expect(await found('"number42"', { minScore: 0 })).toEqual(['/p/42']);
  });

  it('accepts 1 MB of content per page in gzip, and no more', async () => {
    const page = (bytes: number) => ({
      url: `/${bytes}`,
      content: 'é '.repeat(bytes / 3 + 1).slice(0, -1),
      contentType: 'text',
    });
    const fits = { url: '/fits', content: 'a'.repeat(1024 * 1024), contentType: 'text' };
    const body = gzipSync(
      JSON.stringify({ pages: [fits, { ...fits, url: '/more', content: `${fits.content}a` }, page(1_200_000)] }),
    );
    const answer = await owner('POST', `/api/sites/${siteId}/pages`, { headers: { 'Content-Encoding': 'gzip' }, body });
    expect(listOf(answer.body.results).map(({ status }) => status)).toEqual(['success', 'error', 'error']);
  });

  it.each([
    ['body', undefined],
    ['body.pages', {}],
    ['body.pages', { pages: {} }],
    ['body.pages', { pages: [] }],
    ['body.pages', { pages: Array(101).fill({ url: '/a', content: 'a' }) }],
  ])('refuses a request without 1 to 100 pages (%s)', async (path, body) => {
    const answer = await owner('POST', `/api/sites/${siteId}/pages`, { ...(body && { body }) });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', issues: [{ path }] } });
  });

  it('an ingestion needs a paid plan and a key of the site’s organisation', async () => {
    const page = [{ url: '/a', content: 'a', contentType: 'text' }];
    const [free, pro, member] = await Promise.all([
      service.makeOrganisation('free'),
      service.makeOrganisation('pro'),
      service.makeKey('member'),
    ]);
    const as = (apiKey?: string) => post(page, service.client(apiKey));
    expect(await as(free.apiKey)).toMatchObject({ status: 403, body: { error: FREE, code: 'plan_required' } });
    expect((await as(pro.apiKey)).status).toBe(404);
    expect((await as()).status).toBe(401);
    expect((await as(member)).status).toBe(200);
    expect((await owner('POST', `/api/sites/${UNKNOWN}/pages`, { body: { pages: page } })).status).toBe(404);
  });
});
