import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

/*
 * The calls of the Drupal module of QuantSearch (drupal-quantsearch, e2d8b42): method, path and body as Guzzle sends
 * them. It reads the status of an answer, and of the body only the fields that are looked at here.
 */

/**
 * Encodes JSON like PHP's json_encode, which escapes slashes and letters beyond ASCII, and writes an empty array as a
 * list.
 */
const php = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('the Drupal module', () => {
  let service: TestApi;
  let web: WebSite;
  let call: ApiClient;
  let siteId: string;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    web = await webSite({ '/': htmlPage('Harbour', 'Ships are here.', ['/pier']), '/pier': htmlPage('Pier', 'Long.') });
    call = service.client(service.ready.apiKey);
    siteId = await service.createSite(web.origin);
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });

  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    call(method, `/api/sites/${siteId}${path}`, {
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      ...(body !== undefined && { body: php(body) }),
    });
  const search = async (query: string, filters?: object): Promise<readonly string[]> => {
    const answer = await service.visit(`/public/sites/${siteId}/search`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: php({ query, ...(filters && { filters }) }),
    });
    expect(answer.status).toBe(200);
    return listOf(answer.body.results).map(({ url }) => new URL(String(url)).pathname);
  };

  it('checks its key and lists the sites, with the id that its form offers', async () => {
    const { status, body } = await call('GET', '/api/sites');
    expect(status).toBe(200);
    const options = Object.fromEntries(listOf(body.sites).map(({ id, name, baseUrl }) => [id, `${name} (${baseUrl})`]));
    expect(options).toEqual({ [siteId]: `Test (${web.origin}/)` });
  });

  it('ingests pages, also in batches that wait, and skips those that it sent before', async () => {
    const page = {
      url: '/quay',
      title: 'Quay',
      content: '<p>Ropes on the quay.</p>',
      key: 'node:9',
      contentType: 'html',
    };
    for (const [path, end] of [
      ['/pages', { processed: 1, skipped: 0 }],
      ['/pages?wait=true', { processed: 0, skipped: 1 }],
    ] as const)
      expect(await send('POST', path, { pages: [page] })).toMatchObject({ status: 200, body: end });
    expect(await search('ropes quay')).toEqual(['/quay']);
  });

  it('ingests the languages of a node into separate sites', async () => {
    for (const [language, text] of [
      ['en', 'Opening hours of the harbour office.'],
      ['fr', 'Horaires du bureau du port.'],
    ] as const) {
      const made = await call('POST', '/api/sites', {
        body: php({ name: language, baseUrl: `${web.origin}/${language}/` }),
      });
      const node = {
        url: `${web.origin}/${language}/node/7`,
        title: 'Office',
        content: text,
        key: `node:7:${language}`,
      };
      const pages = `/api/sites/${made.body.id}/pages`;
      const answer = await call('POST', pages, { body: php({ pages: [{ ...node, language, metadata: null }] }) });
      expect(answer).toMatchObject({ status: 200, body: { processed: 1 } });
      const found = await call(
        'GET',
        `/v1/public/sites/${made.body.id}/search?q=${language === 'fr' ? 'horaires' : 'hours'}`,
      );
      expect(listOf(found.body.results)).toMatchObject([{ url: node.url }]);
      expect((await call('DELETE', pages, { body: php({ keys: [node.key] }) })).body).toMatchObject({
        deletedPages: 1,
      });
    }
  });

  it.each([
    ['by relative address', { urls: ['/gone'] }, 1],
    ['by absolute address', (origin: string) => ({ urls: [`${origin}/gone`] }), 1],
    ['by an unknown address', { urls: ['/never'] }, 0],
    ['by key', { keys: ['node:4'] }, 1],
    ['by an unknown key', { keys: ['node:404'] }, 0],
  ] as const)('deletes pages %s', async (_, request, deletedPages) => {
    await send('POST', '/pages', { pages: [{ url: '/gone', content: '<p>Soon gone.</p>', key: 'node:4' }] });
    const body = typeof request === 'function' ? request(web.origin) : request;
    expect(await send('DELETE', '/pages', body)).toMatchObject({ status: 200, body: { deletedPages } });
  });

  it('starts a crawl with or without options, and follows it by the site', async () => {
    for (const options of [{ maxPages: 500 }, []]) {
      const { status, body } = await send('POST', '/crawl', options);
      expect(status).toBe(201);
      await service.ended(String(body.jobId));
      const job = await send('GET', `/crawl/${body.jobId}`);
      expect(job).toMatchObject({ status: 200, body: { status: 'completed', pagesCrawled: 2, pagesErrored: 0 } });
    }
    const started = [await send('POST', '/crawl', []), await send('POST', '/crawl', [])];
    expect(started.map(({ status }) => status)).toEqual([201, 409]);
    await service.ended(String(started[0]?.body.jobId));
    expect((await send('GET', '/crawl/01890000-0000-7000-8000-000000000000')).status).toBe(404);
  });

  it('ingests a node that has no fields, or of which a hook removed a tag', async () => {
    const page = { title: 'Fête des lanternes', content: '<p>Des lanternes au port.</p>', key: 'node:1:fr' };
    for (const empty of [[], null]) {
      const { body } = await send('POST', '/pages', {
        pages: [{ ...page, url: '/fr/fête', metadata: empty, summary: null, tags: { 1: 'type:event', 3: 'port' } }],
      });
      expect(body).toMatchObject({ success: true, failed: 0 });
    }
    const untitled = { url: '/sans-titre', content: '<p>Sans titre.</p>', title: null, key: null, language: null };
    expect((await send('POST', '/pages', { pages: [untitled] })).body).toMatchObject({ success: true });
    expect(await search('lanternes', { tags: 'type:event' })).toEqual([encodeURI('/fr/fête')]);
  });

  it('ingests dates as epoch seconds, and never loses a page for its metadata', async () => {
    const metadataSchema = [
      { name: 'event_date', type: 'date' },
      { name: 'fee', type: 'number' },
    ];
    await call('PUT', `/api/sites/${siteId}`, { body: { metadataSchema } });
    const node = { url: '/events/festival', title: 'Festival', content: '<p>Kites and drums.</p>', key: 'node:5' };
    const metadata = { event_date: 1_781_287_200, content_type: 'event', fee: 'free', title: 'Hijack', jobId: 'x' };
    const { body } = await send('POST', '/pages?wait=true', { pages: [{ ...node, metadata }] });
    expect(body).toMatchObject({ success: true, processed: 1 });
    expect(listOf(listOf(body.results)[0]?.warnings)).toEqual([
      'metadata.fee was left out: it must be a number, not "free"',
      'metadata.title was left out: the name is reserved',
      'metadata.jobId was left out: the name is reserved',
    ]);
    expect(await search('kites', { event_date: '2026-06-12' })).toEqual([node.url]);
    expect(await search('kites', { content_type: 'event' })).toEqual([node.url]);
    expect(await search('kites', { content_type: 'page' })).toEqual([]);
    const { body: found } = await service.visit(`/public/sites/${siteId}/search?q=kites`);
    expect(listOf(found.results)[0]?.metadata).toMatchObject({ content_type: 'event' });
    expect(listOf(found.results)[0]?.metadata).not.toHaveProperty('title');
  });

  it('moves a node whose alias has changed', async () => {
    const node = { title: 'Mooring fees', content: '<p>What a mooring costs.</p>', key: 'node:2', tags: ['type:page'] };
    await send('POST', '/pages', { pages: [{ ...node, url: '/mooring-fees' }] });
    const { body } = await send('POST', '/pages', { pages: [{ ...node, url: '/boats/mooring-fees' }] });
    expect(listOf(body.results)).toMatchObject([{ status: 'success', isNew: false }]);
    expect(await search('mooring costs')).toEqual(['/boats/mooring-fees']);
    expect((await send('DELETE', '/pages', { keys: ['node:2'] })).body).toMatchObject({ deletedPages: 1 });
  });

  it('receives an error for a page on a host that visitors do not reach, as drush without --uri names it', async () => {
    const { body } = await send('POST', '/pages', {
      pages: [{ url: 'http://default/node/1', content: '<p>Buoys.</p>' }],
    });
    expect(listOf(body.results)).toMatchObject([
      { status: 'success', warnings: [expect.stringMatching(/^url has the host default/)] },
    ]);
  });

  it('purges the index, whether it has pages or none', async () => {
    for (const isFull of [true, false]) {
      const { status, body } = await send('POST', '/purge');
      expect([status, body.success, Number(body.deletedCount) > 0]).toEqual([200, true, isFull]);
    }
  });

  it('finds the whole site below its organisation too', async () => {
    const { orgId } = service.ready;
    const path = (organisation: string) => `/api/organisations/${organisation}/ai-search/sites/${siteId}/pages`;
    expect((await call('GET', path(orgId))).status).toBe(200);
    for (const organisation of [siteId, 'x']) expect((await call('GET', path(organisation))).status).toBe(404);
  });

  it('connects with only a key: there is no login', async () => {
    expect((await call('GET', '/api/auth/oauth/authorize?response_type=code')).status).toBe(404);
  });
});
