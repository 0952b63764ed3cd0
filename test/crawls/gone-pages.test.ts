import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type SitePage, type WebSite, webSite } from '../support/web-site.ts';

const page = (name: string, links: readonly string[] = []): string =>
  htmlPage(`All about ${name}`, `Here ${name} is described, and nothing else of this kind.`, links);

const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): SitePage =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end(body);

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `/topic-${index}`);

describe('pages that are gone', () => {
  let service: TestApi;
  let site: WebSite;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    site = await webSite({});
  });
  beforeEach(() => {
    site.pages.clear();
    site.requests.length = 0;
  });
  afterAll(async () => {
    await service.end();
    await site.close();
  });

  /** A start page with links to all others. */
  const serve = (paths: readonly string[], text = page): void => {
    site.pages.set('/', page('the start', paths));
    for (const path of paths) site.pages.set(path, text(path.slice(1)));
  };
  const crawl = async (siteId: string, overrides?: object): Promise<Json> =>
    service.ended(await service.startCrawl(siteId, overrides));
  const crawled = async (paths: readonly string[], config: object = {}): Promise<string> => {
    serve(paths);
    const siteId = await service.createSite(`${site.origin}/`, config);
    expect(await crawl(siteId)).toMatchObject({ status: 'completed', pagesProcessed: paths.length + 1 });
    return siteId;
  };
  const pagesOf = async (siteId: string): Promise<readonly string[]> => {
    const { body } = await service.api('GET', `/sites/${siteId}/pages?limit=200`);
    return listOf(body.items).map(({ url }) => String(url).slice(site.origin.length));
  };
  const reviewsOf = async (siteId: string) =>
    listOf((await service.api('GET', `/sites/${siteId}/reviews`)).body.reviews);

  it('pages that are gone are removed when the crawl has completed, and no search finds them', async () => {
    const siteId = await crawled(['/a', '/b', '/c']);
    site.pages.delete('/b');
    expect(await crawl(siteId)).toMatchObject({ status: 'completed', pagesRemoved: 1 });
    expect(await pagesOf(siteId)).toEqual(['/', '/a', '/c']);
    const { body } = await service.api('GET', `/sites/${siteId}`);
    expect(body.pageCount).toBe(3);
    const found = await service.visit(`/public/sites/${siteId}/search?q=all+about+b&minScore=0`);
    expect(listOf(found.body.results).map(({ url }) => url)).not.toContain(`${site.origin}/b`);
    expect(await reviewsOf(siteId)).toEqual([]);
  });

  it.each<[string, SitePage]>([
    ['410', answer(410)],
    ['noindex', answer(200, { 'X-Robots-Tag': 'noindex' }, page('x'))],
    ['redirect', answer(301, { Location: '/keep' })],
    [
      'canonical',
      answer(200, { Link: '' }, page('x').replace('</head>', '<link rel="canonical" href="/keep"></head>')),
    ],
    ['duplicate', page('keep')],
    ['empty', '<html><body></body></html>'],
    ['soft_404', htmlPage('404 Page not found', 'Sorry, this page does not exist.')],
    ['content_type', answer(200, { 'Content-Type': 'application/zip' }, 'PK')],
  ])('are removed for %s, linked or not', async (_, gone) => {
    const siteId = await crawled(['/keep', '/linked', '/unlinked']);
    site.pages.set('/', page('the start', ['/keep', '/linked'])).set('/linked', gone);
    expect(await crawl(siteId)).toMatchObject({ pagesRemoved: 1 });
    site.pages.set('/', page('the start', ['/keep'])).set('/unlinked', gone);
    expect(await crawl(siteId)).toMatchObject({ pagesRemoved: 1 });
    expect(await pagesOf(siteId)).toEqual(['/', '/keep']);
  });

  it.each([401, 403, 429, 500, 503])('pages are kept while they answer %i', async (status) => {
    const siteId = await crawled(names(12));
    site.pages.set('/', page('the start', names(12).slice(1))).set('/topic-0', answer(status, { 'Retry-After': '0' }));
    expect(await crawl(siteId)).toMatchObject({ status: 'completed', pagesRemoved: 0 });
    expect(await pagesOf(siteId)).toContain('/topic-0');
  });

  it('pages that answer without any link to them are kept, and reported as unlinked', async () => {
    const siteId = await crawled(['/a', '/b']);
    site.pages.set('/', page('the start', ['/a']));
    expect(await crawl(siteId)).toMatchObject({ pagesRemoved: 0 });
    for (const path of [`/sites/${siteId}/pages`, `/sites/${siteId}/index-pages`]) {
      const { body } = await service.api('GET', path);
      const flags = listOf(body.items ?? body.pages).map(({ url, unlinked }) => [String(url), unlinked]);
      expect(Object.fromEntries(flags)).toEqual({
        [`${site.origin}/`]: undefined,
        [`${site.origin}/a`]: undefined,
        [`${site.origin}/b`]: true,
      });
    }
    serve(['/a', '/b']);
    await crawl(siteId);
    const { body } = await service.api('GET', `/sites/${siteId}/pages`);
    expect(listOf(body.items).filter(({ unlinked }) => unlinked)).toEqual([]);
  });

  it('pages without a link are probed with their validators', async () => {
    const asked: unknown[] = [];
    const siteId = await crawled(['/a']);
    site.pages.set('/a', (request, response) => {
      asked.push(request.headers['if-none-match']);
      response.writeHead(asked.length === 1 ? 200 : 304, { 'Content-Type': 'text/html', ETag: '"1"' });
      response.end(asked.length === 1 ? page('a') : undefined);
    });
    await crawl(siteId);
    site.pages.set('/', page('the start'));
    expect(await crawl(siteId)).toMatchObject({ pagesRemoved: 0 });
    expect(asked).toEqual([undefined, '"1"']);
    expect(await pagesOf(siteId)).toEqual(['/', '/a']);
  });

  it('pages do not count as unlinked if the crawl was too shallow to find the link', async () => {
    const siteId = await crawled(['/a', '/b']);
    site.pages.set('/', page('the start', ['/a'])).set('/a', page('a', ['/b']));
    await crawl(siteId, { maxDepth: 0 });
    const { body } = await service.api('GET', `/sites/${siteId}/pages`);
    expect(listOf(body.items).map(({ unlinked }) => unlinked)).toEqual([undefined, undefined, undefined]);
  });

  it('ingested pages are never removed', async () => {
    const siteId = await crawled(['/a', '/b']);
    const ingested = { url: `${site.origin}/b`, title: 'Mine', content: 'Text of my own.', contentType: 'text' };
    await service.api('POST', `/sites/${siteId}/pages`, { pages: [ingested] });
    site.pages.delete('/b');
    expect(await crawl(siteId)).toMatchObject({ pagesRemoved: 0 });
    expect(await pagesOf(siteId)).toEqual(['/', '/a', '/b']);
  });

  it('gone pages are judged by the rules of the site, and not by those of one crawl', async () => {
    const siteId = await crawled(['/a', '/b', '/c', '/d', '/e']);
    expect(await crawl(siteId, { excludePatterns: ['/a'], includePatterns: ['/', '/b'] })).toMatchObject({
      pagesRemoved: 0,
    });
    expect(await pagesOf(siteId)).toHaveLength(6);
    site.requests.length = 0;
    site.pages.set('/robots.txt', 'User-agent: *\nDisallow: /b');
    await service.api('PUT', `/sites/${siteId}`, { crawlerConfig: { excludePatterns: ['/a'] } });
    expect(await crawl(siteId)).toMatchObject({ pagesRemoved: 2 });
    expect(await pagesOf(siteId)).toEqual(['/', '/c', '/d', '/e']);
    expect(site.requests).not.toContain('/a');
    expect(site.requests).not.toContain('/b');
    site.pages.delete('/robots.txt');
  });

  it('only the pages of a saved crawl scope are judged', async () => {
    const siteId = await crawled(['/a', '/b', '/c', '/d']);
    await service.api('PUT', `/sites/${siteId}/crawl-urls`, { urls: ['/a', '/b'] });
    site.pages.delete('/b');
    site.pages.delete('/c');
    expect(await crawl(siteId)).toMatchObject({ status: 'completed', pagesRemoved: 1 });
    expect(await pagesOf(siteId)).toEqual(['/', '/a', '/c', '/d']);
  });

  it('gone pages stay after a crawl that did not see the whole site', async () => {
    const siteId = await crawled(['/a', '/b', '/c']);
    site.pages.delete('/c');
    expect(await crawl(siteId, { singleUrls: ['/a', '/c'] })).toMatchObject({ status: 'completed', pagesRemoved: 0 });
    expect(await crawl(siteId, { maxPages: 2 })).toMatchObject({ endReason: 'limit', pagesRemoved: 0 });
    site.pages.set('/b', answer(500));
    expect(await crawl(siteId)).toMatchObject({ status: 'completed', endReason: 'done', pagesRemoved: 0 });
    expect(await pagesOf(siteId)).toEqual(['/', '/a', '/b', '/c']);
  });

  it.each<[string, SitePage]>([
    ['answers 503 everywhere', answer(503, { 'Retry-After': '0' })],
    ['answers 404 everywhere', answer(404)],
    ['redirects everything to another site', answer(302, { Location: 'https://login.example/' })],
    ['asks for a login everywhere', answer(401)],
    ['drops connections', (request) => void request.socket.destroy()],
  ])('do not include those of a site that %s', async (_, broken) => {
    const siteId = await crawled(['/a', '/b', '/c']);
    for (const path of ['/', '/a', '/b', '/c']) site.pages.set(path, broken);
    expect(await crawl(siteId)).toMatchObject({ status: 'failed', pagesRemoved: 0 });
    expect(await pagesOf(siteId)).toEqual(['/', '/a', '/b', '/c']);
    serve(['/a', '/b', '/c']);
    expect(await crawl(siteId)).toMatchObject({ status: 'completed', pagesProcessed: 4, pagesRemoved: 0 });
  });

  it('pages do not count as gone if robots.txt forbids them with everything else', async () => {
    const siteId = await crawled(['/a', '/b', '/c']);
    for (const robots of ['User-agent: *\nDisallow: /', answer(500)]) {
      site.pages.set('/robots.txt', robots);
      expect(await crawl(siteId)).toMatchObject({ status: 'failed' });
    }
    expect(await pagesOf(siteId)).toHaveLength(4);
    site.pages.delete('/robots.txt');
  });

  it.each<[string, number, SitePage]>([
    ['noindex', 3, answer(200, { 'X-Robots-Tag': 'noindex' }, page('x', names(3)))],
    ['the same text', 3, page('an error')],
    [
      'a login page',
      3,
      (request, response) => {
        if (request.url === '/login') response.writeHead(200, { 'Content-Type': 'text/html' }).end(page('the login'));
        else response.writeHead(302, { Location: '/login' }).end();
      },
    ],
    ['a soft 404', 3, htmlPage('404 Page not found', 'Sorry, this page does not exist.')],
    ['noindex', 20, answer(200, { 'X-Robots-Tag': 'noindex' }, page('x', names(20)))],
    ['the same text', 20, page('an error')],
  ])('are held if the whole site shows %s, with %i pages', async (_, count, broken) => {
    const paths = names(count);
    const siteId = await crawled(paths);
    for (const path of ['/', '/login', ...paths]) site.pages.set(path, broken);
    expect(await crawl(siteId)).toMatchObject({ status: 'completed', pagesRemoved: 0 });
    const [review] = await reviewsOf(siteId);
    expect(review).toMatchObject({ status: 'pending' });
    expect(await pagesOf(siteId)).toEqual(expect.arrayContaining([...paths]));
    site.pages.clear();
    serve(paths);
    await crawl(siteId);
    expect((await reviewsOf(siteId)).map(({ status }) => status)).toEqual(['superseded']);
    expect(await pagesOf(siteId)).toEqual(expect.arrayContaining([...paths]));
  });

  it.each([
    { policy: {}, lost: 9, removed: 9 },
    { policy: {}, lost: 10, removed: 0 },
    { policy: { minPages: 3 }, lost: 3, removed: 0 },
    { policy: { minPages: 3 }, lost: 2, removed: 2 },
    { policy: { holdPercent: 50 }, lost: 10, removed: 10 },
    { policy: { holdPercent: 50 }, lost: 11, removed: 0 },
    { policy: { mode: 'apply' }, lost: 15, removed: 15 },
    { policy: { mode: 'never' }, lost: 3, removed: 0 },
  ])('are removed or held as the policy says: %j', async ({ policy, lost, removed }) => {
    const paths = names(19);
    const siteId = await crawled(paths);
    await service.api('PUT', `/sites/${siteId}`, { removalPolicy: policy });
    for (const path of paths.slice(0, lost)) site.pages.delete(path);
    expect(await crawl(siteId)).toMatchObject({ status: 'completed', pagesRemoved: removed });
    expect(await pagesOf(siteId)).toHaveLength(20 - removed);
    const isHeld = removed === 0 && policy.mode !== 'never';
    expect((await reviewsOf(siteId)).map(({ urlCount }) => urlCount)).toEqual(isHeld ? [lost] : []);
  });

  it('a page does not count as gone if it is back when it is probed', async () => {
    const siteId = await crawled(['/a', '/b']);
    let asked = 0;
    const flaky: SitePage = (_, response) => {
      asked += 1;
      if (asked === 1) response.writeHead(404).end();
      else response.writeHead(200, { 'Content-Type': 'text/html' }).end(page('b'));
    };
    site.pages.set('/b', flaky);
    expect(await crawl(siteId)).toMatchObject({ pagesRemoved: 0, pagesErrored: 1 });
    expect(asked).toBe(2);
    expect(await pagesOf(siteId)).toEqual(['/', '/a', '/b']);
  });
});
