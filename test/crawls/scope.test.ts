import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../support/answer.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite } from '../support/web-site.ts';
import { movedTo, outcomesOf, wordSite, words } from '../support/word-site.ts';
import { ApiAndSites } from './api-and-sites.ts';

describe('the scope of a crawl', () => {
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

  describe('with patterns', () => {
    it('a crawl with patterns visits the matching links and redirect targets, and reports why it skips others', async () => {
      const other = await serve({});
      const site = await serve({
        '/': htmlPage('Start', 'All kinds of links.', [
          ...['/docs/a', '/docs/old/b', '/docs/c.pdf', '/blog', '/docs/to-blog', '/docs/to-old', '/docs/off'],
          ...['/docs/copy', 'https://elsewhere.example/'],
        ]),
        '/docs/a': htmlPage('A', 'The one about apples.', ['/docs/old/b', '/docs/old/b?again']),
        '/docs/to-blog': movedTo('/news'),
        '/docs/to-old': movedTo('/docs/old/d'),
        '/docs/off': movedTo(`${other.origin}/landing`),
        '/docs/copy': htmlPage('Copy', 'Its canonical is not to be had.').replace(
          '</head>',
          '<link rel="canonical" href="/blog"></head>',
        ),
      });
      const siteId = await service.createSite(site.origin, {
        includePatterns: ['/', `${site.origin}/docs/*`],
        excludePatterns: ['*/old/*', 'regex:\\.pdf$'],
      });
      const job = await crawl(siteId);
      expect(await outcomes(job, site)).toEqual({
        '/': 'indexed',
        '/docs/a': 'indexed',
        '/docs/copy': 'indexed',
        '/docs/old/b': 'skipped excluded',
        '/docs/old/b?again': 'skipped excluded',
        '/docs/c.pdf': 'skipped excluded',
        '/blog': 'skipped not_included',
        '/docs/to-blog': 'skipped redirect',
        '/news': 'skipped not_included',
        '/docs/to-old': 'skipped redirect',
        '/docs/old/d': 'skipped excluded',
        '/docs/off': 'skipped redirect',
        [`${other.origin}/landing`]: 'skipped out_of_scope',
      });
      expect(job).toMatchObject({ pagesDiscovered: 13, pagesProcessed: 3, pagesSkipped: 10, pagesErrored: 0 });
      const asked = site.requests.filter((path) => /old|pdf|blog$|news/.test(path));
      expect(asked.toSorted()).toEqual(['/docs/to-blog', '/docs/to-old']);
      expect(other.requests).toEqual([]);
    });

    it('a crawl with patterns reads the links of an excluded start page, also behind a redirect', async () => {
      const siteId = await service.createSite(web.origin, { includePatterns: ['/amber'] });
      expect(await outcomes(await crawl(siteId), web)).toEqual({
        '/': 'skipped not_included',
        '/amber': 'indexed',
        ...Object.fromEntries(words.slice(1).map((word) => [`/${word}`, 'skipped not_included'])),
      });
      const behind = await serve({ ...wordSite(movedTo('/home')), '/home': htmlPage('Home', 'Come in.', ['/amber']) });
      const job = await crawl(await service.createSite(behind.origin, { excludePatterns: ['/home', '/[!a]*', '/?*'] }));
      expect(await outcomes(job, behind)).toMatchObject({
        '/': 'skipped redirect',
        '/home': 'skipped excluded',
        '/amber': 'indexed',
      });
    });

    it('a crawl reports which patterns are invalid', async () => {
      const crawlerConfig = { excludePatterns: ['/a', 'regex:('], includePatterns: ['regex:a{2000}'] };
      const refused = await owner('POST', '/api/sites', { body: { name: 'X', baseUrl: web.origin, crawlerConfig } });
      expect(refused.status).toBe(400);
      expect(listOf(refused.body.issues).map(({ path }) => path)).toEqual([
        'body.crawlerConfig.excludePatterns.1',
        'body.crawlerConfig.includePatterns.0',
      ]);
      const siteId = await service.createSite(web.origin);
      const job = await owner('POST', `/api/sites/${siteId}/crawl`, { body: { excludePatterns: ['regex:)'] } });
      expect(job).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    });

    it('a crawl refuses more patterns than a site can store', async () => {
      const pattern = (name: string) => Array.from({ length: 200 }, (_, n) => `/${name}${n}/${'x'.repeat(900)}`);
      const crawlerConfig = { excludePatterns: pattern('a'), includePatterns: pattern('b') };
      const body = { name: 'X', baseUrl: web.origin, crawlerConfig };
      expect(await owner('POST', '/api/sites', { body })).toMatchObject({ status: 400 });
      const siteId = await service.createSite(web.origin);
      const path = `/api/sites/${siteId}`;
      expect(await owner('PUT', path, { body: { crawlerConfig } })).toMatchObject({ status: 400 });
      expect(await owner('POST', `${path}/crawl`, { body: crawlerConfig })).toMatchObject({ status: 400 });
    });
  });

  describe('of a site that has moved', () => {
    it('a crawl does not follow a move to another domain, and reports the target', async () => {
      const elsewhere = web.origin.replace('127.0.0.1', 'localhost');
      const site = await serve({ '/': movedTo('/en/'), '/en/': movedTo(`${elsewhere}/amber`) });
      const siteId = await service.createSite(site.origin);
      const asked = web.requests.length;
      const job = await crawl(siteId);
      expect(job).toMatchObject({ status: 'failed', endReason: 'redirect' });
      expect(await outcomes(job, site)).toEqual({
        '/': 'skipped redirect',
        '/en/': 'skipped redirect',
        [`${elsewhere}/amber`]: 'skipped out_of_scope',
      });
      const { body } = await owner('GET', `/api/sites/${siteId}`);
      expect(body).toMatchObject({ status: 'error', lastErrorCode: 'redirect' });
      expect(body.lastError).toContain(`${elsewhere}/amber`);
      expect(web.requests.length).toBe(asked);
    });

    it('a crawl does not follow a move to another port, and says what to do', async () => {
      const site = await serve({ '/': movedTo(`${web.origin}/`) });
      const siteId = await service.createSite(site.origin);
      const asked = web.requests.length;
      expect(await crawl(siteId)).toMatchObject({ status: 'failed', endReason: 'redirect' });
      const { body } = await owner('GET', `/api/sites/${siteId}`);
      expect(body.lastError).toContain(`${web.origin}/`);
      expect(body.lastError).toContain('base URL');
      expect(web.requests.length).toBe(asked);
    });
  });
});
