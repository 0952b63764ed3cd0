import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../support/answer.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite } from '../support/web-site.ts';
import { movedTo, outcomesOf, wordSite, words } from '../support/word-site.ts';
import { ApiAndSites } from './api-and-sites.ts';

describe('a crawl of listed URLs', () => {
  let service: TestApi;
  let owner: ApiClient;
  let opened: ApiAndSites;
  let serve: ApiAndSites['serve'];
  let crawl: ApiAndSites['crawl'];
  let web: WebSite;

  beforeAll(async () => {
    opened = await ApiAndSites.open();
    ({ service, owner, serve, crawl } = opened);
    web = await serve(wordSite());
  });
  afterAll(() => opened.close());

  const outcomes = (job: Json, site: WebSite) => outcomesOf(job, site, service);
  const put = (siteId: string, urls: unknown) => owner('PUT', `/api/sites/${siteId}/crawl-urls`, { body: { urls } });
  const saved = async (siteId: string): Promise<Json> => (await owner('GET', `/api/sites/${siteId}/crawl-urls`)).body;

  describe('with single URLs', () => {
    const listed = ['/basil', '/basil#top', '/gone', '/to-dune', 'https://elsewhere.example/'];

    it('a crawl of single URLs visits exactly these URLs, once', async () => {
      const site = await serve({ ...wordSite(), '/to-dune': movedTo('/dune') });
      const siteId = await service.createSite(site.origin, { singleUrls: [...listed, `${site.origin}/cobalt`] });
      await put(siteId, [`${site.origin}/ember`]);
      const job = await crawl(siteId);
      expect(await outcomes(job, site)).toEqual({
        '/basil': 'indexed',
        '/gone': 'gone 404',
        '/to-dune': 'skipped redirect',
        '/dune': 'indexed',
        '/cobalt': 'indexed',
        'https://elsewhere.example/': 'skipped out_of_scope',
      });
      expect(job).toMatchObject({ status: 'completed', pagesDiscovered: 6, pagesProcessed: 3, pagesErrored: 1 });
      expect(site.requests.toSorted()).toEqual(['/basil', '/cobalt', '/dune', '/gone', '/robots.txt', '/to-dune']);
      const { body } = await owner('GET', `/api/sites/${siteId}`);
      expect(body.crawlerConfig).not.toHaveProperty('singleUrls');
      expect(Object.keys(await outcomes(await crawl(siteId), site))).toEqual(['/ember']);
      await owner('DELETE', `/api/sites/${siteId}/crawl-urls`);
      expect(Object.keys(await outcomes(await crawl(siteId), site))).toHaveLength(1 + words.length);
    });

    it('a crawl of single URLs follows a canonical only if it is listed', async () => {
      const copy = (name: string, canonical: string) =>
        htmlPage(name, `The copy ${name} of a page.`).replace(
          '</head>',
          `<link rel="canonical" href="${canonical}"></head>`,
        );
      const site = await serve({ ...wordSite(), '/copy/1': copy('one', '/amber'), '/copy/2': copy('two', '/basil') });
      const job = await crawl(await service.createSite(site.origin), { singleUrls: ['/copy/1', '/copy/2', '/amber'] });
      expect(await outcomes(job, site)).toEqual({
        '/copy/1': 'skipped canonical',
        '/copy/2': 'indexed',
        '/amber': 'indexed',
      });
    });

    it('a crawl of single URLs uses the URLs of the job before those of the site, which serve one crawl each time they are set', async () => {
      const siteId = await service.createSite(web.origin, { singleUrls: ['/amber'] });
      expect(Object.keys(await outcomes(await crawl(siteId, { singleUrls: ['/basil'] }), web))).toEqual(['/basil']);
      const settings = async () => (await owner('GET', `/api/sites/${siteId}`)).body.crawlerConfig;
      expect(await settings()).toMatchObject({ singleUrls: ['/amber'] });
      for (let time = 0; time < 2; time++) {
        await owner('PUT', `/api/sites/${siteId}`, { body: { crawlerConfig: { singleUrls: ['/amber'] } } });
        await owner('PUT', `/api/sites/${siteId}`, { body: { name: 'Another' } });
        expect(Object.keys(await outcomes(await crawl(siteId), web))).toEqual(['/amber']);
        expect(await settings()).not.toHaveProperty('singleUrls');
      }
    });

    it('a crawl of single URLs applies the patterns, and completes although no page is found', async () => {
      const siteId = await service.createSite(web.origin, { excludePatterns: ['/amber'] });
      const job = await crawl(siteId, { singleUrls: ['/amber', '/nowhere'] });
      expect(job).toMatchObject({ status: 'completed', endReason: 'done', pagesSkipped: 1, pagesErrored: 1 });
      expect(await outcomes(job, web)).toEqual({ '/amber': 'skipped excluded', '/nowhere': 'gone 404' });
    });

    it('a crawl of single URLs reports which entry is not a URL', async () => {
      const siteId = await service.createSite(web.origin);
      const refused = await owner('POST', `/api/sites/${siteId}/crawl`, { body: { singleUrls: ['/a', 'not a URL'] } });
      expect(refused.status).toBe(400);
      expect(listOf(refused.body.issues).map(({ path }) => path)).toEqual(['body.singleUrls.1']);
    });

    it('a crawl of single URLs accepts a thousand of the longest URLs', async () => {
      const siteId = await service.createSite(web.origin);
      const long = Array.from({ length: 1000 }, (_, n) => `/${n}/${'x'.repeat(1990)}`);
      const job = await crawl(siteId, {
        singleUrls: [...long.slice(1), '/amber'],
        maxPages: 1,
        excludePatterns: ['*xx'],
      });
      expect(job).toMatchObject({ status: 'completed', pagesDiscovered: 1000, pagesProcessed: 1, pagesSkipped: 999 });
    });
  });

  describe('with a saved list', () => {
    it('a saved list is replaced, read and cleared as a whole', async () => {
      const siteId = await service.createSite(web.origin);
      expect(await saved(siteId)).toEqual({ urls: [], count: 0 });
      const first = await put(siteId, [`${web.origin}/ember`, `${web.origin}/dune?b=1#c`, `${web.origin}/ember`]);
      const kept = [`${web.origin}/ember`, `${web.origin}/dune?b=1`];
      expect(first).toMatchObject({ status: 200, body: { urls: kept, count: 2, rejected: 0 } });
      expect(first.body).not.toHaveProperty('warning');
      expect(await saved(siteId)).toEqual({ urls: kept, count: 2 });
      const second = await put(siteId, [
        'https://elsewhere.example/',
        'not a URL',
        `${web.origin}/heron`,
        'ftp://a.b/',
        '',
      ]);
      expect(second.body).toMatchObject({ urls: [`${web.origin}/heron`], count: 1, rejected: 4 });
      expect(second.body.warning).toMatch(/^4 URLs were dropped/);
      expect(await saved(siteId)).toEqual({ urls: [`${web.origin}/heron`], count: 1 });
      expect((await owner('DELETE', `/api/sites/${siteId}/crawl-urls`)).status).toBe(200);
      expect((await owner('DELETE', `/api/sites/${siteId}/crawl-urls`)).status).toBe(200);
      expect(await saved(siteId)).toEqual({ urls: [], count: 0 });
    });

    it('a crawl of a saved list visits only the listed URLs, every time', async () => {
      const site = await serve(wordSite());
      const siteId = await service.createSite(site.origin);
      await put(siteId, [`${site.origin}/ember`, `${site.origin}/fjord`]);
      for (let time = 0; time < 2; time++)
        expect(Object.keys(await outcomes(await crawl(siteId), site)).toSorted()).toEqual(['/ember', '/fjord']);
      expect(new Set(site.requests)).toEqual(new Set(['/robots.txt', '/ember', '/fjord']));
    });

    it('a saved list accepts 10,000 URLs and no more', async () => {
      const siteId = await service.createSite(web.origin);
      const urls = Array.from({ length: 10_000 }, (_, n) => `${web.origin}/page/${n}/${'x'.repeat(100)}`);
      expect((await put(siteId, urls)).body).toMatchObject({ count: 10_000, rejected: 0 });
      expect(await saved(siteId)).toEqual({ urls, count: 10_000 });
      expect(await put(siteId, [...urls, web.origin])).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
      for (const wrong of ['/a', null, [1], undefined]) expect((await put(siteId, wrong)).status).toBe(400);
      expect(await saved(siteId)).toMatchObject({ count: 10_000 });
      const job = await crawl(siteId, { excludePatterns: ['*'] });
      expect(job).toMatchObject({ status: 'completed', pagesDiscovered: 10_000, pagesSkipped: 10_000 });
    });

    it('a list is refused for a site that cannot be crawled or belongs to others', async () => {
      for (const baseUrl of ['http://10.0.0.1/', 'http://no-such-host.invalid/']) {
        const siteId = await service.createSite(baseUrl);
        expect(await put(siteId, [baseUrl])).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
        expect(await saved(siteId)).toEqual({ urls: [], count: 0 });
      }
      const siteId = await service.createSite(web.origin);
      const { apiKey } = await service.makeOrganisation('enterprise');
      const other = service.client(apiKey);
      const path = `/api/sites/${siteId}/crawl-urls`;
      const answers = [
        await other('GET', path),
        await other('PUT', path, { body: { urls: [] } }),
        await other('DELETE', path),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    });

    it('exactly one is kept of several lists that are saved concurrently', async () => {
      const siteId = await service.createSite(web.origin);
      const lists = words.map((word) => [`${web.origin}/${word}`, `${web.origin}/${word}/2`]);
      const answers = await Promise.all(lists.map((urls) => put(siteId, urls)));
      expect(answers.map(({ status }) => status)).toEqual(words.map(() => 200));
      expect(lists).toContainEqual(listOf((await saved(siteId)).urls));
    });
  });
});
