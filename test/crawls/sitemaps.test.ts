import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type SitePage, type WebSite, webSite } from '../support/web-site.ts';

const page = (name: string, links: readonly string[] = []) =>
  htmlPage(`All about ${name}`, `Here ${name} is described, and nothing else of this kind.`, links);
const pagesOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`/${name}`, page(name)]));
const urlset = (locations: readonly string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations
    .map((loc) => `<url><loc>${loc}</loc><lastmod>2026-01-01</lastmod></url>`)
    .join('')}</urlset>`;
const index = (locations: readonly string[]) =>
  `<sitemapindex>${locations.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`;
const packed =
  (text: string): SitePage =>
  (_, response) =>
    void response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(gzipSync(text));

describe('a crawl with sitemaps', () => {
  let service: TestApi;
  const sites: WebSite[] = [];

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1,localhost' }, workers: true });
  });
  afterEach(async () => {
    await Promise.all(sites.splice(0).map((site) => site.close()));
  });
  afterAll(() => service.end());

  const serve = async (pages: Readonly<Record<string, SitePage>>): Promise<WebSite> => {
    const site = await webSite({ '/': page('the start'), ...pages });
    sites.push(site);
    return site;
  };
  const crawl = async (site: WebSite, config: object = {}): Promise<Json> =>
    service.ended(await service.startCrawl(await service.createSite(site.origin, config)));
  /** The paths that were indexed, in order. */
  const indexed = async (job: Json, { origin }: WebSite): Promise<readonly string[]> => {
    const { body } = await service.api('GET', `/jobs/${job.jobId}/pages?outcome=indexed&limit=200`);
    return listOf(body.pages)
      .map(({ url }) => String(url).slice(origin.length))
      .sort();
  };

  it('finds unlinked pages by /sitemap.xml, at depth 0', async () => {
    const site = await serve({ ...pagesOf(['lone', 'linked']), '/lone': page('lone', ['/linked']) });
    site.pages.set('/sitemap.xml', urlset([`${site.origin}/lone`, 'https://elsewhere.example/x', '/lone#part']));
    const job = await crawl(site, { maxDepth: 1 });
    expect(await indexed(job, site)).toEqual(['/', '/linked', '/lone']);
    const { body } = await service.api('GET', `/jobs/${job.jobId}/pages?url=${site.origin}/lone`);
    expect(listOf(body.pages)).toMatchObject([{ depth: 0, foundOn: `${site.origin}/sitemap.xml` }]);
    expect(job).toMatchObject({ endReason: 'done', pagesDiscovered: 3 });
  });

  it('reads the sitemaps of robots.txt instead of the usual one: nested, compressed, feeds, lists', async () => {
    const site = await serve(pagesOf(['deep', 'packed', 'item', 'list', 'usual']));
    const at = (path: string) => site.origin + path;
    site.pages
      .set('/robots.txt', `User-agent: *\nDisallow:\nSitemap: ${at('/one.xml')}\nSitemap: /feed`)
      .set('/sitemap.xml', urlset([at('/usual')]))
      .set('/one.xml', index([at('/two.xml'), at('/one.xml'), '/moved.xml']))
      .set('/two.xml', index([at('/three.xml'), at('/list.txt')]))
      .set('/three.xml', urlset(['/deep']))
      .set('/moved.xml', (_, response) => void response.writeHead(301, { Location: '/packed.xml.gz' }).end())
      .set('/packed.xml.gz', packed(urlset([at('/packed')])))
      .set('/feed', `<rss><channel><item><link>${at('/item')}</link></item>`)
      .set('/list.txt', `\ufeff${at('/list')}\r\n`);
    expect(await indexed(await crawl(site), site)).toEqual(['/', '/deep', '/item', '/list', '/packed']);
    expect(site.requests).not.toContain('/sitemap.xml');
  });

  it('follows links from sitemap pages if recursive, and from linked pages always', async () => {
    const site = await serve({
      '/': page('the start', ['/both']),
      '/both': page('both', ['/behind-both']),
      '/only': page('only', ['/behind-only']),
      ...pagesOf(['behind-both', 'behind-only']),
    });
    site.pages.set('/pages.xml', urlset([`${site.origin}/only`, `${site.origin}/both`]));
    const config = (recursive: boolean) => ({ sitemaps: [{ url: 'pages.xml', recursive }] });
    expect(await indexed(await crawl(site, config(false)), site)).toEqual(['/', '/behind-both', '/both', '/only']);
    expect(await indexed(await crawl(site, config(true)), site)).toHaveLength(5);
    expect(site.requests).not.toContain('/sitemap.xml');
  });

  it('reserves room within maxPages for sitemaps of the settings', async () => {
    const links = Array.from({ length: 20 }, (_, index) => `linked-${index}`);
    const site = await serve({ '/': page('the start', links), ...pagesOf([...links, 'named-1', 'named-2']) });
    site.pages.set('/named.xml', urlset(['/named-1', '/named-2']));
    const job = await crawl(site, { maxPages: 6, sitemaps: [{ url: '/named.xml' }] });
    expect(job).toMatchObject({ endReason: 'limit', pagesCrawled: 6, pagesProcessed: 6 });
    expect(await indexed(job, site)).toEqual(expect.arrayContaining(['/', '/named-1', '/named-2']));
  });

  it('retries a sitemap that is briefly unavailable, and continues without one that stays unavailable', async () => {
    let asked = 0;
    const site = await serve(pagesOf(['late']));
    site.pages.set('/robots.txt', 'Sitemap: /late.xml\nSitemap: /never.xml\nSitemap: /broken.xml');
    site.pages
      .set('/late.xml', (_, response) => {
        asked++;
        if (asked === 1) response.writeHead(503, { 'Retry-After': '1' }).end();
        else response.end(urlset([`${site.origin}/late`]));
      })
      .set('/never.xml', (_, response) => void response.destroy())
      .set('/broken.xml', '<urlset><url><loc>/late</loc></url><url><loc>http://[</loc></url><url><loc>/l');
    expect(await indexed(await crawl(site), site)).toEqual(['/', '/late']);
  });

  it('reads at most 100 sitemaps of a host that only the site names, and all of an index there', async () => {
    const other = await serve({ '/': page('another site') });
    const foreign = other.origin.replace('127.0.0.1', 'localhost');
    const named = (count: number, from: string) => Array.from({ length: count }, (_, n) => `${from}/${n}.xml`);
    other.pages.set('/index.xml', index(named(120, `${foreign}/own`)));
    const site = await serve({});
    site.pages
      .set('/robots.txt', `Sitemap: ${foreign}/index.xml\nSitemap: /all.xml\nSitemap: /moved.xml`)
      .set('/moved.xml', (_, response) => void response.writeHead(301, { Location: `${foreign}/target.xml` }).end())
      .set('/all.xml', index([...named(120, `${foreign}/listed`), '/own.xml']));
    await crawl(site);
    expect(other.requests.filter((path) => !path.startsWith('/own/'))).toHaveLength(100);
    expect(other.requests.filter((path) => path.startsWith('/own/'))).toHaveLength(120);
    expect(site.requests).toContain('/own.xml');
  });

  it('reads no sitemap for a list of URLs', async () => {
    const site = await serve(pagesOf(['listed', 'mapped']));
    site.pages.set('/sitemap.xml', urlset([`${site.origin}/mapped`]));
    expect(await indexed(await crawl(site, { singleUrls: ['/listed'] }), site)).toEqual(['/listed']);
    expect(site.requests).not.toContain('/sitemap.xml');
  });
});
