import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chromiumRenderer } from '../../lambdas/connectors/chromium/page-renderer.ts';
import { readPatterns } from '../../lambdas/domain/crawl/fetch/rendering.ts';
import { readRows } from '../../lambdas/domain/pages/page-registry.ts';
import { urlHash } from '../../lambdas/text/web/url.ts';
import { crawlHere, newSite } from '../support/crawl-here.ts';
import { hasBrowser } from '../support/has-browser.ts';
import { table } from '../support/memory/stores.ts';
import { type Product, spaSite } from '../support/spa-site.ts';
import { htmlPage, type WebSite } from '../support/web-site.ts';
import { overHttp } from './over-http.ts';

const PRODUCTS: Readonly<Record<string, Product>> = {
  spade: { name: 'A spade of ash', text: 'It has a handle of ash, and digs through clay and chalk without bending.' },
  lantern: { name: 'A storm lantern', text: 'It burns for nine hours in any wind, and its glass can be replaced.' },
};
const ABOUT = htmlPage('About the shop', 'The shop was founded by two gardeners. '.repeat(10)).replace(
  '</head>',
  '<script src="/counter.js"></script></head>',
);

(hasBrowser ? describe : describe.skip)('a crawl in which pages are shown', () => {
  let web: WebSite;
  let products: Record<string, Product>;

  beforeEach(async () => {
    await web?.close();
    products = { ...PRODUCTS };
    web = await spaSite(products);
  });
  afterAll(async () => {
    await web.close();
  });

  const openRenderer = () => chromiumRenderer({ allowHosts: [web.host], contact: undefined });
  const withoutBrowser = () => chromiumRenderer({ allowHosts: [], contact: undefined, path: '/nowhere/chromium' });
  const crawl = async (
    site: Awaited<ReturnType<typeof newSite>>,
    javascriptEnabled: boolean | 'auto',
    open = openRenderer,
  ) => {
    const { job, ends } = await crawlHere(site, { overrides: { javascriptEnabled }, openRenderer: open, ...overHttp });
    return {
      job,
      ends: Object.fromEntries(Object.entries(ends).map(([url, end]) => [url.replace(web.origin, ''), end])),
    };
  };
  const row = async ({ siteId }: { readonly siteId: string }, path: string) => {
    const url = web.origin + path;
    return (await readRows({ siteId, generation: 1 }, [{ url, urlHash: urlHash(url) }], table)).get(urlHash(url));
  };
  const ALL_INDEXED = { '/': 'indexed 200', '/products/spade': 'indexed 200', '/products/lantern': 'indexed 200' };
  const ALL_UNCHANGED = {
    '/': 'unchanged 200',
    '/products/spade': 'unchanged 200',
    '/products/lantern': 'unchanged 200',
  };

  it.each([true, 'auto'] as const)(
    'with %p sees that a page has changed behind the same answer',
    async (setting) => {
      const site = await newSite(web.origin);
      expect((await crawl(site, setting)).ends).toEqual(ALL_INDEXED);
      expect((await crawl(site, setting)).ends).toEqual(ALL_UNCHANGED);
      products.spade = {
        name: 'A spade of ash',
        text: 'Its handle is of oak now, which lasts for a lifetime of digging.',
      };
      expect((await crawl(site, setting)).ends).toEqual({ ...ALL_UNCHANGED, '/products/spade': 'indexed 200' });
      expect(await row(site, '/products/spade')).toMatchObject({ rendered: true });
    },
    60_000,
  );

  it("with 'auto' the browser shows only pages that are empty without it, and their URLs are remembered", async () => {
    web.pages.set('/about', ABOUT);
    web.pages.set('/sitemap.xml', `<urlset><url><loc>${web.origin}/about</loc></url></urlset>`);
    const site = await newSite(web.origin);
    expect((await crawl(site, 'auto')).ends).toEqual({ ...ALL_INDEXED, '/about': 'indexed 200' });
    expect(web.requests).not.toContain('/counter.js');
    expect(await row(site, '/about')).not.toHaveProperty('rendered');
    expect(await readPatterns(site.siteId, table)).toEqual(['/', '/products/*']);
    web.pages.set('/products/spade', ABOUT);
    await crawl(site, 'auto');
    expect(web.requests).toContain('/counter.js');
    expect(await readPatterns(site.siteId, table)).toEqual(['/']);
  }, 60_000);

  it('without a browser the rendered text of earlier crawls is kept, and the reason is reported', async () => {
    web.pages.set('/about', ABOUT);
    web.pages.set('/sitemap.xml', `<urlset><url><loc>${web.origin}/about</loc></url></urlset>`);
    const site = await newSite(web.origin);
    await crawl(site, true);
    const { ends, job } = await crawl(site, 'auto', withoutBrowser);
    expect(ends).toMatchObject({ '/': 'failed not_rendered 200', '/about': 'unchanged 200' });
    expect(job.warnings).toEqual([
      'javascriptEnabled: pages were read without a browser, because CHROMIUM_PATH names ' +
        '/nowhere/chromium, which does not exist',
    ]);
    expect(await row(site, '/products/spade')).toMatchObject({ title: 'A spade of ash' });
  }, 60_000);

  it.each([true, 'auto'] as const)(
    'with %p and no browser reads pages as they are sent',
    async (setting) => {
      web.pages.set(
        '/',
        htmlPage('A short page', 'It has one sentence and a script.', ['/about']).replace(
          '</head>',
          '<script src="/x.js"></script></head>',
        ),
      );
      web.pages.set('/about', ABOUT);
      const site = await newSite(web.origin);
      const { ends, job } = await crawl(site, setting, withoutBrowser);
      expect(ends).toEqual({ '/': 'indexed 200', '/about': 'indexed 200' });
      expect(job.warnings).toEqual([expect.stringContaining('without a browser')]);
      expect((await crawl(site, setting)).ends).toMatchObject({ '/': 'unchanged 200' });
      expect(await row(site, '/')).toMatchObject({ rendered: true });
    },
    60_000,
  );

  it('a page whose scripts never end is read as it is sent, unless it is empty without them', async () => {
    const endless = '<script>for (;;);</script></body>';
    web.pages.set('/', ABOUT.replace('</body>', `<a href="/products/spade">spade</a>${endless}`));
    web.pages.set('/products/spade', `<html><body><p>Loading</p>${endless}</html>`);
    const impatient = () => chromiumRenderer({ allowHosts: [web.host], contact: undefined, pageTimeoutMs: 2000 });
    const { ends } = await crawl(await newSite(web.origin), true, impatient);
    expect(ends).toEqual({ '/': 'indexed 200', '/products/spade': 'failed not_rendered 200' });
  }, 60_000);

  it('a script that leads elsewhere counts as a redirect, and obeys robots.txt', async () => {
    web.pages.set('/robots.txt', (_, response) => void response.end('User-agent: *\nDisallow: /products/lantern'));
    web.pages.set('/start', '<script>location.replace("/")</script>');
    web.pages.set('/outside', '<script>location.replace("http://169.254.169.254/latest")</script>');
    const listed = ['/start', '/outside'].map((path) => `<url><loc>${web.origin}${path}</loc></url>`);
    web.pages.set('/sitemap.xml', `<urlset>${listed.join('')}</urlset>`);
    const { ends } = await crawl(await newSite(web.origin), true);
    expect(ends).toEqual({
      ...ALL_INDEXED,
      '/products/lantern': 'skipped robots',
      '/start': 'skipped redirect 200',
      '/outside': 'skipped redirect 200',
      'http://169.254.169.254/latest': 'skipped out_of_scope',
    });
  }, 60_000);

  it('a page that only a browser shows is not removed when no page links to it any more', async () => {
    const site = await newSite(web.origin);
    await crawl(site, true);
    delete products.lantern;
    web.pages.set('/api/products/lantern', (_, response) => void response.end(JSON.stringify(PRODUCTS.lantern)));
    expect((await crawl(site, true)).ends).toEqual({ '/': 'indexed 200', '/products/spade': 'unchanged 200' });
    expect(await row(site, '/products/lantern')).toMatchObject({ unlinked: true });
  }, 60_000);
});
