import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';
import { outcomesOf } from '../support/word-site.ts';

const start = (...links: readonly string[]) => htmlPage('The start', 'Where all the manuals are listed.', links);
const manual = (...links: readonly string[]) =>
  htmlPage('The manual', 'How gophers are kept in good health, in every version alike.', links);
const canonicalOf = (to: string, page: string) => page.replace('</head>', `<link rel="canonical" href="${to}"></head>`);
const sitemap = (...urls: readonly string[]) =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

describe('pages with the same text', () => {
  let service: TestApi;
  let site: WebSite;
  let siteId: string;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
  });
  afterAll(() => service.end());
  beforeEach(async () => {
    site = await webSite({});
    siteId = await service.createSite(site.origin);
  });
  afterEach(() => site.close());

  function serve(pages: Readonly<Record<string, string>>): void {
    site.pages.clear();
    for (const [path, page] of Object.entries(pages)) site.pages.set(path, page);
  }
  async function crawl(overrides?: object): Promise<Json> {
    return service.ended(await service.startCrawl(siteId, overrides));
  }
  const pathOf = (url: unknown) => String(url).replace(site.origin, '');
  async function indexed(job: Json): Promise<readonly string[]> {
    const ends = Object.entries(await outcomesOf(job, site, service));
    return ends.flatMap(([path, end]) => (path !== '/' && ['indexed', 'unchanged'].includes(end) ? path : [])).sort();
  }
  async function pages(): Promise<Record<string, readonly string[]>> {
    const { body } = await service.api('GET', `/sites/${siteId}/pages`);
    return Object.fromEntries(listOf(body.items).map(({ url, aliases }) => [pathOf(url), listOf(aliases).map(pathOf)]));
  }
  async function found(prefix: string): Promise<readonly string[]> {
    const body = JSON.stringify({ query: 'gophers', filters: { url: { prefix } } });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await service.visit(`/public/sites/${siteId}/search`, { method: 'POST', headers, body });
    return listOf(answer.body.results).map(({ url }) => pathOf(url));
  }

  it('of pages with the same text the shallowest is indexed, then the shorter URL, then the smaller one', async () => {
    serve({ '/': start('/zz', '/a-long-one', '/ab', '/far'), '/far': start('/x') });
    for (const path of ['/zz', '/a-long-one', '/ab', '/x']) site.pages.set(path, manual());
    expect(await indexed(await crawl())).toContain('/ab');
    expect(await pages()).toMatchObject({ '/ab': ['/x', '/zz', '/a-long-one'] });
  });

  it('of pages with the same text the one that a sitemap names is indexed, also from the next crawl on if it is named later', async () => {
    serve({ '/': start('/a', '/b', '/c'), '/a': manual(), '/b': manual(), '/c': manual() });
    expect(await indexed(await crawl())).toEqual(['/a']);
    site.pages.set('/sitemap.xml', sitemap(`${site.origin}/c`));
    const job = await crawl();
    expect(await indexed(job)).toEqual(['/c']);
    expect(await pages()).toMatchObject({ '/c': ['/a', '/b'] });
    expect(await outcomesOf(await crawl(), site, service)).toMatchObject({ '/a': 'duplicate', '/c': 'unchanged' });
  });

  it('of pages with the same text the one that another page names as canonical is indexed, however late it is named', async () => {
    serve({ '/': start('/a', '/b', '/next'), '/a': manual(), '/b': manual(), '/next': start('/last') });
    site.pages.set('/last', canonicalOf('/b', htmlPage('Print', 'A print version with other words.')));
    const job = await crawl();
    expect(await outcomesOf(job, site, service)).toMatchObject({ '/last': 'skipped canonical', '/a': 'duplicate' });
    expect(await indexed(job)).toContain('/b');
    expect(await pages()).not.toHaveProperty('/a');
  });

  it('each duplicate names the one that is indexed, also after that was replaced', async () => {
    serve({ '/': start('/a', '/b', '/c', '/next'), '/next': start('/last') });
    for (const path of ['/a', '/b', '/c']) site.pages.set(path, manual());
    site.pages.set('/last', canonicalOf('/c', htmlPage('Print', 'A print version with other words.')));
    const { jobId } = await crawl();
    const { body } = await service.api('GET', `/jobs/${jobId}/pages?outcome=duplicate`);
    expect(listOf(body.pages).map(({ url, target }) => [pathOf(url), pathOf(target)])).toEqual(
      expect.arrayContaining([
        ['/a', '/c'],
        ['/b', '/c'],
      ]),
    );
  });

  it('a page with duplicates is found by a prefix of any of its URLs, and shown under the one that matches', async () => {
    serve({ '/': start('/docs/15/a', '/docs/16/a'), '/docs/15/a': manual(), '/docs/16/a': manual() });
    await crawl();
    expect(await found('/docs/15/')).toEqual(['/docs/15/a']);
    expect(await found(`${site.origin}/docs/16/`)).toEqual(['/docs/16/a']);
    expect(await found('/docs/')).toEqual(['/docs/15/a']);
    expect(await found('/docs/17/')).toEqual([]);
  });

  it.each<[string, (site: WebSite) => void, object | undefined]>([
    ['is gone', ({ pages }) => pages.delete('/docs/16/a'), undefined],
    ['is no longer linked', ({ pages }) => pages.set('/', start('/docs/15/a')), undefined],
    ['is excluded', () => undefined, { excludePatterns: ['/docs/16/*'] }],
    ['has moved', ({ pages }) => pages.set('/docs/16/a', canonicalOf('/', manual())), undefined],
  ])('a page with duplicates loses a URL that %s', async (_, change, overrides) => {
    serve({ '/': start('/docs/15/a', '/docs/16/a'), '/docs/15/a': manual(), '/docs/16/a': manual() });
    await crawl();
    expect(await pages()).toMatchObject({ '/docs/15/a': ['/docs/16/a'] });
    change(site);
    await crawl(overrides);
    expect(await pages()).toMatchObject({ '/docs/15/a': [] });
    expect(await found('/docs/16/')).toEqual([]);
  });

  it('a page with duplicates loses a URL that has a text of its own, also when only that URL is crawled', async () => {
    serve({ '/': start('/docs/15/a', '/docs/16/a'), '/docs/15/a': manual(), '/docs/16/a': manual() });
    await crawl();
    site.pages.set('/docs/16/a', htmlPage('News', 'Gophers are kept in another way now.'));
    await crawl({ singleUrls: [`${site.origin}/docs/16/a`] });
    expect(await pages()).toMatchObject({ '/docs/15/a': [], '/docs/16/a': [] });
    expect(await found('/docs/16/')).toEqual(['/docs/16/a']);
    site.pages.set('/docs/16/a', manual());
    await crawl({ singleUrls: [`${site.origin}/docs/16/a`] });
    expect(await pages()).toMatchObject({ '/docs/15/a': ['/docs/16/a'] });
  });

  it('a page with duplicates keeps a URL that fails temporarily', async () => {
    serve({ '/': start('/docs/15/a', '/docs/16/a'), '/docs/15/a': manual(), '/docs/16/a': manual() });
    await crawl();
    site.pages.set('/docs/16/a', (_, response) => void response.writeHead(500).end());
    await crawl();
    expect(await pages()).toMatchObject({ '/docs/15/a': ['/docs/16/a'] });
  });

  it('a page with many URLs is written twice, and lists 20 of them with their number', async () => {
    const others = Array.from({ length: 300 }, (_, n) => `/copy/${n}`);
    serve({ '/': start('/a', ...others), '/a': manual() });
    for (const path of others) site.pages.set(path, manual());
    expect(await crawl({ maxPages: 400 })).toMatchObject({ pagesProcessed: 2, pagesSkipped: 300 });
    const listed = async (path: string) => {
      const { body } = await service.api('GET', `/sites/${siteId}/${path}`);
      return listOf(body.items ?? body.pages).find(({ url }) => pathOf(url) === '/a');
    };
    for (const path of ['pages', 'index-pages']) {
      const page = await listed(path);
      expect(page).toMatchObject({ aliasCount: 300 });
      expect(listOf(page?.aliases)).toHaveLength(20);
    }
    const { indexedAt } = (await listed('pages')) ?? {};
    await crawl({ maxPages: 400 });
    expect(await listed('pages')).toMatchObject({ indexedAt, aliasCount: 300 });
  });
});
