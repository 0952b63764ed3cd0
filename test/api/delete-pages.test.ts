import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const ORIGIN = 'https://ship.example';
const NAMES = ['anchor', 'bell', 'compass', 'deck'];
const PAGES = NAMES.map((name) => ({
  url: `/${name}`,
  content: `The ${name} is a part of the ship.`,
  contentType: 'text',
  title: `The ${name}`,
  summary: 'A part.',
  tags: [],
  key: `key of ${name}`,
}));

describe('deleting pages over HTTP', () => {
  let service: TestApi;
  let owner: ApiClient;
  let other: ApiClient;
  let siteId: string;

  beforeAll(async () => {
    service = await openApi({ workers: true });
    owner = service.client(service.ready.apiKey);
    other = service.client((await service.makeOrganisation('free')).apiKey);
  });
  afterAll(() => service.end());
  beforeEach(async () => {
    siteId = await service.createSite(`${ORIGIN}/`);
    const answer = await owner('POST', `/api/sites/${siteId}/pages`, { body: { pages: PAGES } });
    expect(answer.body).toMatchObject({ processed: NAMES.length });
  });

  const call = (method: string, path: string, body?: object) =>
    owner(method, `/api/sites/${siteId}${path}`, body === undefined ? {} : { body });
  const found = async (): Promise<readonly string[]> => {
    const { body } = await service.visit(`/public/sites/${siteId}/search?q=ship&minScore=0`);
    const titles = listOf(body.results).map(({ url }) => String(url).slice(ORIGIN.length + 1));
    return titles.toSorted();
  };
  const site = async () => (await call('GET', '')).body;

  it('a delete by URL, pattern and key answers the counts, and search, list and count follow at once', async () => {
    expect(await found()).toEqual(NAMES);
    const request = { urls: [`${ORIGIN}/anchor`, `${ORIGIN}/none`], patterns: ['/b*'], keys: ['key of compass'] };
    const answer = await call('DELETE', '/pages', request);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        requestedUrls: 2,
        deletedPages: 3,
        deletedChunks: 3,
        complete: true,
        message: 'Deleted 3 pages.',
        siteId,
      },
    });
    expect(await found()).toEqual(['deck']);
    const { body } = await call('GET', '/pages');
    expect(listOf(body.items).map(({ url }) => url)).toEqual([`${ORIGIN}/deck`]);
    expect(await site()).toMatchObject({ pageCount: 1, status: 'ready' });
    expect((await call('DELETE', '/pages', request)).body).toMatchObject({ requestedUrls: 2, deletedPages: 0 });
    await call('DELETE', '/pages', { keys: ['key of deck'] });
    expect(await site()).toMatchObject({ pageCount: 0, status: 'pending' });
  });

  it('deletes and purges while pages are ingested count each page exactly once', async () => {
    const sum = (answers: readonly Answer[], field: string) =>
      answers.reduce((total, { body }) => total + Number(body[field] ?? 0), 0);
    const post = async (round: number) => {
      const pages = PAGES.map((page) => ({ ...page, content: `${page.content} Round ${round}.` }));
      return listOf((await call('POST', '/pages', { pages })).body.results);
    };
    let added = NAMES.length;
    let removed = 0;
    for (let round = 0; round < 6; round++) {
      const [results, deleted, purged] = await Promise.all([
        Promise.all([post(2 * round), post(2 * round + 1)]),
        Promise.all([
          call('DELETE', '/pages', { patterns: ['/b*', '/d*'] }),
          call('DELETE', '/pages', { keys: ['key of bell', 'key of anchor'] }),
          call('DELETE', '/index-pages', { urls: [`${ORIGIN}/deck`, `${ORIGIN}/compass`] }),
        ]),
        Promise.all(round % 3 === 2 ? [call('POST', '/purge')] : []),
      ]);
      added += results.flat().filter(({ status, isNew }) => String(status) === 'success' && isNew).length;
      removed += sum(deleted, 'deletedPages') + sum(deleted, 'deleted') + sum(purged, 'deletedCount');
    }
    expect(removed).toBeGreaterThan(NAMES.length);
    const names = await found();
    expect(await site()).toMatchObject({ pageCount: added - removed });
    expect(names).toHaveLength(added - removed);
  });

  it.each([
    [{}, 'body'],
    [{ urls: [], patterns: [], keys: [] }, 'body'],
    [{ urls: [''] }, 'body.urls.0'],
    [{ urls: Array(1001).fill(`${ORIGIN}/`) }, 'body.urls'],
    [{ patterns: Array(101).fill('/a') }, 'body.patterns'],
    [{ keys: Array(1001).fill('a') }, 'body.keys'],
    [{ keys: ['x'.repeat(513)] }, 'body.keys.0'],
    [{ patterns: ['regex:('] }, 'body.patterns.0'],
  ])('refuses an invalid request (%#)', async (body, path) => {
    const answer = await call('DELETE', '/pages', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', issues: [{ path }] } });
    expect(await site()).toMatchObject({ pageCount: NAMES.length });
  });

  it('refuses a pattern that matches every page', async () => {
    expect(await call('DELETE', '/pages', { patterns: ['*'] })).toMatchObject({
      status: 400,
      body: { code: 'pattern_too_broad', error: expect.stringContaining('purge') },
    });
    expect(await site()).toMatchObject({ pageCount: NAMES.length });
  });

  it.each([
    ['DELETE', '/pages', { keys: ['a'] }],
    ['POST', '/purge', undefined],
    ['GET', '/index-pages', undefined],
    ['DELETE', '/index-pages', { urls: [`${ORIGIN}/bell`] }],
  ] as const)('%s %s is refused for an unknown or foreign site, and without a key', async (method, path, body) => {
    const options = body === undefined ? {} : { body };
    expect((await owner(method, `/api/sites/${UNKNOWN}${path}`, options)).status).toBe(404);
    expect((await owner(method, `/api/sites/x${path}`, options)).status).toBe(404);
    expect((await other(method, `/api/sites/${siteId}${path}`, options)).status).toBe(404);
    expect((await service.client()(method, `/api/sites/${siteId}${path}`, options)).status).toBe(401);
    expect(await site()).toMatchObject({ pageCount: NAMES.length });
  });

  it('a purge removes all pages from search, list and count at once, and keeps the site', async () => {
    expect(await call('POST', '/purge')).toMatchObject({
      status: 200,
      body: { success: true, deletedCount: NAMES.length },
    });
    expect(await found()).toEqual([]);
    expect((await call('GET', '/pages')).body).toEqual({ items: [], nextCursor: null, hasMore: false });
    expect(await site()).toMatchObject({ pageCount: 0, status: 'pending' });
    expect((await call('POST', '/purge')).body).toEqual({ success: true, deletedCount: 0 });
    await call('POST', '/pages', { pages: PAGES.slice(1, 2) });
    expect(await found()).toEqual(['bell']);
  });

  it('lists the pages of the index by URL, page by page', async () => {
    const first = await call('GET', '/index-pages?limit=3');
    expect(first).toMatchObject({ status: 200, body: { hasMore: true, nextCursor: `${ORIGIN}/compass` } });
    expect(listOf(first.body.pages)[0]).toEqual({
      url: `${ORIGIN}/anchor`,
      title: 'The anchor',
      key: 'key of anchor',
      chunks: 1,
      source: 'ingest',
      indexedAt: expect.any(Number),
      aliases: [],
      aliasCount: 0,
    });
    const cursor = encodeURIComponent(String(first.body.nextCursor));
    const { body } = await call('GET', `/index-pages?limit=3&cursor=${cursor}`);
    expect(body).toMatchObject({ hasMore: false, nextCursor: null });
    const urls = [...listOf(first.body.pages), ...listOf(body.pages)].map(({ url }) => url);
    expect(urls).toEqual(NAMES.map((name) => `${ORIGIN}/${name}`));
    expect(await call('GET', '/index-pages?limit=101')).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'query.limit' }] },
    });
  });

  it('a delete from the index by URL answers the counts', async () => {
    const urls = [`${ORIGIN}/bell`, `${ORIGIN}/none`];
    expect(await call('DELETE', '/index-pages', { urls })).toMatchObject({
      status: 200,
      body: { success: true, requested: 2, deleted: 1, deletedChunks: 1 },
    });
    expect(await found()).toEqual(['anchor', 'compass', 'deck']);
    for (const body of [{}, { urls: [] }])
      expect(await call('DELETE', '/index-pages', body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', issues: [{ path: 'body.urls' }] },
      });
  });
});
