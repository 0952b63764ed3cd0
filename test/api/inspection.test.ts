import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calibrated } from '../../lambdas/domain/search/rank/ranking.ts';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const ROBOTS = `User-agent: *
# not for machines
Disallow: /private/
Allow: /private/open
`;
const noindex = htmlPage('Draft', 'A draft.').replace('<head>', '<head><meta name="robots" content="noindex">');
const text = 'Lanterns burn oil, and a wick draws it up.';

const sitemap = (origin: string) => `<?xml version="1.0"?><urlset><url><loc>${origin}/listed</loc></url></urlset>`;

describe('why a URL is found or not found', () => {
  let service: TestApi;
  let web: WebSite;
  let owner: ApiClient;
  let other: ApiClient;
  let siteId: string;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    owner = service.client(service.ready.apiKey);
    other = service.client((await service.makeOrganisation('enterprise')).apiKey);
    web = await webSite({
      '/robots.txt': (_, response) => void response.end(ROBOTS),
      '/sitemap.xml': (_, response) => void response.end(sitemap(web.origin)),
      '/': htmlPage('Start', 'All of it.', ['lantern', 'lantern-copy', 'draft', 'gone', 'old', 'private/a', 'admin/b']),
      '/lantern': htmlPage('Lantern', text),
      '/lantern-copy': htmlPage('Lantern', text),
      '/draft': noindex,
      '/listed': htmlPage('Listed', 'Only the sitemap names this page about bees.'),
      '/old': (_, response) => void response.writeHead(301, { Location: '/lantern' }).end(),
      '/away': (_, response) => void response.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end(),
      '/loop': (_, response) => void response.writeHead(302, { Location: '/loop' }).end(),
    });
    siteId = await service.createSite(web.origin, { excludePatterns: ['/x/*', '/admin/*'] });
    await service.ended(await service.startCrawl(siteId));
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });

  const trace = async (url: string, q?: string): Promise<Answer> =>
    owner('GET', `/api/sites/${siteId}/trace?${new URLSearchParams({ url, ...(q !== undefined && { q }) })}`);
  const test = async (url: unknown): Promise<Answer> =>
    owner('POST', `/api/sites/${siteId}/test-url`, { body: { url } });

  it('the inspection names the text, the chunks and the way to an indexed page', async () => {
    const { status, body } = await trace(`${web.origin}/lantern?utm_source=x#top`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      url: `${web.origin}/lantern`,
      isIndexed: true,
      scope: { decision: 'admitted' },
      robots: { respected: true, allowed: true },
      foundBy: 'page',
      foundOn: `${web.origin}/`,
      history: [{ outcome: 'indexed', status: 200, jobStatus: 'completed' }],
      page: { title: 'Lantern', language: 'en', chunks: 1, source: 'crawl', aliases: [`${web.origin}/lantern-copy`] },
    });
  });

  it.each([
    ['/lantern-copy', { aliasOf: '/lantern', history: [{ outcome: 'duplicate' }] }, /text of .*\/lantern/],
    ['/draft', { history: [{ outcome: 'skipped', reason: 'noindex', status: 200 }] }, /noindex/],
    ['/gone', { history: [{ outcome: 'gone', reason: '404', status: 404 }] }, /404/],
    ['/old', { history: [{ reason: 'redirect', status: 301 }], leadsTo: [{ outcome: 'indexed' }] }, /redirects/],
    ['/private/a', { robots: { allowed: false, rule: 'Disallow: /private/', line: 3 } }, /robots\.txt/],
    ['/private/open', { robots: { allowed: true, rule: 'Allow: /private/open', line: 4 }, history: [] }, /No crawl/],
    ['/admin/b', { scope: { decision: 'excluded', pattern: '/admin/*' } }, /excludePatterns/],
    ['http://elsewhere.example/', { scope: { decision: 'out_of_scope' } }, /base URL/],
  ])('says why %s is not indexed', async (url, expected, sentence) => {
    const { status, body } = await trace(url);
    expect(status).toBe(200);
    const own = { ...expected, ...('aliasOf' in expected && { aliasOf: web.origin + expected.aliasOf }) };
    expect(body).toMatchObject({ isIndexed: false, ...own });
    expect(body.verdict).toMatch(sentence);
  });

  it('the inspection says what the newest crawl may have missed', async () => {
    const sites = await Promise.all([0, 1].map(() => service.createSite(web.origin, { maxPages: 1 })));
    const [limited = '', untouched = ''] = sites;
    await service.ended(await service.startCrawl(limited));
    const of = async (id: string) => (await owner('GET', `/api/sites/${id}/trace?url=/private/open`)).body;
    expect(await of(limited)).toMatchObject({ lastCrawl: { status: 'completed', endReason: 'limit' } });
    expect((await of(limited)).verdict).toMatch(/ended at a limit/);
    expect((await of(untouched)).verdict).toMatch(/not been crawled/);
  });

  it('the inspection names the sitemap that a page comes from', async () => {
    expect((await trace('/listed')).body).toMatchObject({ foundBy: 'sitemap', sitemap: `${web.origin}/sitemap.xml` });
  });

  it('the inspection shows the rank and the score of a page for a query', async () => {
    const { body } = await trace('/lantern', 'lantern wick');
    const query = body.query as { factors?: Record<string, number>; score?: number; words?: unknown };
    expect(query).toMatchObject({ verdict: expect.stringMatching(/^It is result 1 of /) });
    expect(query).toMatchObject({ isFound: true, isCandidate: true, rank: 1, minScore: 0.3 });
    const { meaning = 0, words = 0, title = 0, gate = 0, boost = 0, confidence = 0 } = query.factors ?? {};
    const text = calibrated((1 - (1 - meaning) * (1 - words) * (1 - title)) * gate);
    const product = text * boost * confidence;
    expect(query.score).toBeCloseTo(product, 2);
    const search = await service.visit(`/public/sites/${siteId}/search?q=lantern+wick`);
    expect(listOf(search.body.results)[0]?.score).toBeCloseTo(Number(query.score), 2);
    expect(query.words).toMatchObject([
      { word: 'lantern', inTitle: true },
      { word: 'wick', inTitle: false },
    ]);
  });

  it('the inspection shows the features of a page that a query does not find', async () => {
    const { body } = await trace('/listed', 'lantern wick');
    expect(body.query).toMatchObject({ isFound: false, rank: null });
    const gone = (await trace('/gone', 'lantern')).body.query;
    expect(gone).toMatchObject({ isFound: false, isCandidate: false, verdict: expect.stringMatching(/not indexed/) });
    const weak = (await trace('/listed', 'bees and the trombones of jericho')).body.query as Record<string, unknown>;
    expect(weak).toMatchObject({ isFound: false, isCandidate: true });
    expect(weak.verdict).toMatch(/below minScore \(0\.3\)\. Reason: its best part does not have: trombon/);
  });

  it('the inspection refuses an invalid URL, and sites of other organisations', async () => {
    for (const url of ['', 'mailto:a@example.com', 'http://', 'http://a:b@c.example/'])
      expect(await trace(url)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await test('ftp://a.example/')).toMatchObject({ status: 400 });
    expect(await test(7)).toMatchObject({ status: 400 });
    for (const [method, path] of [
      ['GET', `trace?url=${encodeURIComponent('/')}`],
      ['POST', 'test-url'],
    ] as const) {
      const body = method === 'POST' ? { body: { url: '/' } } : {};
      expect(await other(method, `/api/sites/${siteId}/${path}`, body)).toMatchObject({ status: 404 });
    }
  });

  it('the test of a URL refuses settings that a crawl would not use', async () => {
    const testOf = (body: object) => owner('POST', `/api/sites/${siteId}/test-url`, { body });
    expect(await testOf({ url: '/', javascriptEnabled: true })).toMatchObject({
      status: 400,
      body: {
        issues: [
          {
            path: 'body.javascriptEnabled',
            message: 'is not a known field. The fields are url, fetch, includePatterns, excludePatterns',
          },
        ],
      },
    });
    expect((await testOf({ uri: '/' })).body.issues).toContainEqual({
      path: 'body.uri',
      message: 'is not a known field. Did you mean url?',
    });
  });

  it('the test of a URL reads it as a crawl would, and stores nothing', async () => {
    web.pages.set('/new', htmlPage('New', 'This page is new.', ['lantern']));
    expect((await test('/new')).body).toMatchObject({
      url: `${web.origin}/new`,
      isIndexable: true,
      scope: { decision: 'admitted' },
      steps: [{ outcome: 'indexed', status: 200 }],
      page: {
        title: 'New',
        contentType: 'text/html; charset=utf-8',
        language: 'en',
        noindex: false,
        chunks: 1,
        links: [`${web.origin}/lantern`],
      },
    });
    expect((await trace('/new')).body).toMatchObject({ isIndexed: false, history: [] });
  });

  it('the test of a URL follows redirects on the site, and no others', async () => {
    expect((await test('/old')).body).toMatchObject({
      steps: [{ reason: 'redirect', status: 301 }, { outcome: 'indexed' }],
      isIndexable: true,
    });
    expect((await test('/loop')).body).toMatchObject({ isIndexable: false, steps: [{ reason: 'redirect_loop' }] });
    const { body } = await test('/away');
    expect(body).toMatchObject({ isIndexable: false, steps: [{ target: 'http://169.254.169.254/latest' }] });
  });

  it('the test of a URL fetches nothing that robots.txt forbids, nor from other hosts', async () => {
    web.requests.length = 0;
    expect((await test('/private/b')).body).toMatchObject({ steps: [{ reason: 'robots' }], isIndexable: false });
    expect((await test('http://127.0.0.1:9/')).body).toMatchObject({ scope: { decision: 'out_of_scope' }, steps: [] });
    expect(web.requests).toEqual(['/robots.txt']);
  });

  it('the test of a URL shows the content of a page that is not to be indexed', async () => {
    expect((await test('/draft')).body).toMatchObject({
      isIndexable: false,
      page: { title: 'Draft', noindex: true },
      steps: [{ outcome: 'skipped', reason: 'noindex', explanation: expect.stringContaining('noindex') }],
    });
  });

  it('tests a URL with patterns that are not saved, and does not fetch it if asked not to', async () => {
    const decided = async (url: string, more: object = {}) => {
      const { status, body } = await owner('POST', `/api/sites/${siteId}/test-url`, { body: { url, ...more } });
      return { status, ...Object(body) };
    };
    const patterns = { fetch: false, includePatterns: ['/lantern*'], excludePatterns: ['*print=1*'] };
    web.requests.length = 0;
    expect(await decided('/lantern', patterns)).toMatchObject({
      ...{ status: 200, url: `${web.origin}/lantern`, steps: [], isIndexable: false },
      scope: { decision: 'admitted', pattern: '/lantern*' },
    });
    expect((await decided('/old?print=1', patterns)).scope).toMatchObject({
      decision: 'excluded',
      pattern: '*print=1*',
    });
    expect((await decided('/old', patterns)).scope).toMatchObject({ decision: 'not_included' });
    expect((await decided('/admin/b', { fetch: false })).scope).toMatchObject({ decision: 'excluded' });
    expect(web.requests).toEqual([]);
    expect(await decided('/lantern', { excludePatterns: ['regex:('] })).toMatchObject({
      status: 400,
      issues: [{ path: 'body.excludePatterns.0' }],
    });
  });
});
