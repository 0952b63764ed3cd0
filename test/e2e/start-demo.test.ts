import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../support/answer.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';

const REFERENCES = /<(?:script|link|img)\b[^>]*?(?:src|href)="([^"#]+)"/g;

describe('npm start with its demo', () => {
  let service: LocalService;

  beforeAll(async () => {
    service = await LocalService.start({ options: [] });
  });
  afterAll(() => service.end());

  const page = (path: string): Promise<Response> => fetch(new URL(path, service.ready.dashboardUrl));
  const found = (query: string): Promise<readonly Json[]> =>
    eventually(async () => {
      const { body } = await service.visit(`/public/sites/${service.ready.demoSiteId}/search?q=${query}`);
      return listOf(body.results).length > 0 && listOf(body.results);
    });

  it('counts no search of its own against this machine', async () => {
    const { headers } = await service.visit(`/public/sites/${service.ready.demoSiteId}/search?q=x`);
    const [limit, remaining] = ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
    expect(remaining).toBe(Number(limit) - 1);
  });

  it('finds its pages, which can be opened', async () => {
    const results = await found('how+does+a+crawl+survive+a+crash');
    for (const { url } of results) expect((await page(String(url))).status).toBe(200);
  });

  it('crawls all of its pages', async () => {
    const jobs = (await service.api('GET', `/sites/${service.ready.demoSiteId}/jobs`)).body.jobs;
    const job = await service.ended(String(listOf(jobs)[0]?.jobId));
    expect(job).toMatchObject({ status: 'completed', endReason: 'done' });
  });

  it('finds the page for the example search that it prints', async () => {
    const [first] = await found('how+does+a+crawl+survive+a+crash');
    expect(first).toMatchObject({ title: 'How a crawl works' });
  });

  it.each([
    ['create a site', 'guide/first-site'],
    ['how do I search my website', 'guide/search-box'],
    ['API key', 'guide/access'],
    ['who may search my site', 'guide/access'],
    ['search several sites at once', 'guide/access'],
    ['crawl every day', 'guide/automation'],
    ['crawl after a deployment', 'guide/automation'],
    ['exclude pages from the crawl', 'guide/crawl-settings'],
    ['crawl only the sitemap', 'guide/crawl-settings'],
    ['pages rendered by JavaScript', 'guide/crawl-settings'],
    ['user agent of the crawler', 'guide/crawler'],
    ['boost pages', 'guide/fields'],
    ['filters and facets', 'guide/searching'],
    ['add a search box to my web page', 'guide/searching'],
    ['upload pages without a crawl', 'guide/ingestion'],
    ['why is my page not found', 'guide/inspection'],
    ['webhook signature', 'guide/webhooks'],
    ['run behind nginx', 'guide/server'],
    ['backup and restore', 'guide/server'],
    ['how many pages may a site have', 'guide/limits'],
    ['OPENAI_API_KEY', 'guide/environment'],
  ])('finds the page of the guide first for the newcomer’s query %j', async (query, slug) => {
    const [first] = await found(encodeURIComponent(query));
    expect(String(first?.url)).toMatch(new RegExp(`/demo/${slug}$`));
  });

  it('counts none of its own searches in analytics', async () => {
    /** Returns no queries while OpenSearch still creates the index of events: 503, "Try again in a few seconds". */
    const queries = async () => {
      const { status, body } = await service.api('GET', '/analytics');
      return status === 503 ? [] : listOf(body.topQueries);
    };
    await eventually(async () => (await queries()).length > 0); // those of these tests
    expect((await queries()).map(({ query }) => query)).not.toContain('warm up');
  });

  it('allows the crawl of a private address for the demo only', async () => {
    const siteId = await service.createSite(`${service.ready.dashboardUrl}demo/`);
    const job = await service.ended(await service.startCrawl(siteId));
    expect(job).toMatchObject({ status: 'failed', endReason: 'private_address' });
  });

  it.each([
    ['/', 'text/html'],
    ['/docs', 'text/html'],
    ['/docs/openapi.json', 'application/json'],
    ['/docs/openapi-api.json', 'application/json'],
    ['/docs/openapi-v1.json', 'application/json'],
    ['/demo/', 'text/html'],
    ['/demo/readme', 'text/html'],
    ['/demo-site.json', 'application/json'],
    ['/v1/site-search.js', 'text/javascript'],
    ['/demo.css', 'text/css'],
    ['/favicon.ico', 'image/x-icon'],
    ['/robots.txt', 'text/plain'],
    ['/opensearch.xml', 'application/opensearchdescription+xml'],
  ])('serves %s as %s, not in frames', async (path, type) => {
    const { status, headers } = await page(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain(type);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('asks robots not to index results and answers of the API', async () => {
    const robotsTag = async (path: string) => (await page(path)).headers.get('x-robots-tag');
    const { demoSiteId } = service.ready;
    expect(await robotsTag('/?q=crawl')).toBe('noindex');
    expect(await robotsTag(`/v1/public/sites/${demoSiteId}/search?q=crawl`)).toBe('noindex');
    expect(await robotsTag('/')).toBeNull();
    expect(await robotsTag('/demo/')).toBeNull();
    expect(await (await page('/robots.txt')).text()).toContain('Disallow: /v1/');
  });

  it('describes a public site to browsers, and no other site', async () => {
    const { demoSiteId, dashboardUrl } = service.ready;
    const description = await (await page(`/opensearch/${demoSiteId}.xml`)).text();
    expect(description).toContain('<ShortName>Site search docs</ShortName>');
    const template = /type="application\/x-suggestions\+json" template="([^"]+)"/.exec(description)?.[1] ?? '';
    const answer = await fetch(template.replace('{searchTerms}', 'how+a+craw'));
    expect(answer.headers.get('content-type')).toContain('application/x-suggestions+json');
    const [text, titles, descriptions, urls] = (await answer.json()) as readonly [string, ...(readonly string[])[]];
    expect(text).toBe('how a craw');
    expect(titles).toContain('How a crawl works');
    expect(descriptions).toHaveLength(titles?.length ?? 0);
    expect(urls?.[titles?.indexOf('How a crawl works') ?? 0]).toContain('/demo/');
    expect(description).toContain(`template="${dashboardUrl}?site=${demoSiteId}&amp;q={searchTerms}"`);

    const closed = await service.createSite('https://closed.example/');
    await service.api('PUT', `/sites/${closed}`, { publicAccess: { enabled: false } });
    expect((await page(`/opensearch/${closed}.xml`)).status).toBe(404);
    expect((await page(`/opensearch/${closed}/suggest?q=a`)).status).not.toBe(200);
  });

  it.each(['/', '/docs', '/demo/'])('serves everything that %s refers to from its own origin', async (path) => {
    const base = new URL(path, service.ready.dashboardUrl);
    const references = Array.from((await (await fetch(base)).text()).matchAll(REFERENCES), ([, link = '']) => link);
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      const url = new URL(reference, base);
      expect(url.origin).toBe(base.origin);
      expect([reference, (await fetch(url)).status]).toEqual([reference, 200]);
    }
  });

  it.each([
    ...['/../package.json', '/search/../../package.json', '/search/..%2f..%2fpackage.json', '/search/%2e%2e/README.md'],
    ...['/demo/../package.json', '/demo/..%2f..%2fpackage.json', '/search/..\\server.ts', '/search//etc/passwd'],
    ...['/search/', '/search/search.js%00', '/docs/decisions.md', '/ready.json', '/.site-search/ready.json', '/%'],
    ...['//etc/passwd', '/search', '/lambdas/env.ts', '/package.json', '/local-key'],
  ])('answers 404 at %s', async (path) => {
    const { hostname, port } = new URL(service.ready.dashboardUrl);
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const asked = request({ host: hostname, port, path }, (response) => resolve(response.resume().statusCode));
    asked.on('error', reject).end(); // sends the path as it is; fetch would resolve its dots
    expect(await promise).toBe(404);
  });

  it('accepts only GET and HEAD for pages', async () => {
    const url = service.ready.dashboardUrl;
    const { status, headers } = await fetch(url, { method: 'POST', body: 'x' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  });

  it('moves the demo to the new port after a restart', async () => {
    const before = service.ready.baseUrl;
    await service.kill('SIGTERM');
    await service.restart();
    const { baseUrl, dashboardUrl, demoSiteId, apiKey } = service.ready;
    expect(baseUrl).not.toBe(before);
    const { body } = await service.client(apiKey)('GET', '/api/sites');
    const demos = listOf(body.sites).filter(({ name }) => String(name).includes('demo'));
    expect(demos).toMatchObject([{ siteId: demoSiteId, baseUrl: `${dashboardUrl}demo/` }]);
    for (const { url } of await found('crawl')) expect(String(url)).toContain(dashboardUrl);
  });
});
