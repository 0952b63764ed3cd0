import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const LONG = 'Lanterns burn oil, and a wick draws it up until the light is steady enough to read by at night. '.repeat(
  4,
);
const redirect = (to: string) => (_: unknown, response: import('node:http').ServerResponse) =>
  void response.writeHead(301, { Location: to }).end();

describe('the health of a site', () => {
  let service: TestApi;
  let web: WebSite;
  let siteId: string;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    const listed = (paths: readonly string[]) =>
      `<?xml version="1.0"?><urlset>${paths.map((path) => `<url><loc>${web.origin}${path}</loc></url>`).join('')}</urlset>`;
    web = await webSite({
      '/sitemap.xml': (_, response) => void response.end(listed(['/wicks', '/draft', '/lost'])),
      '/': htmlPage('Start', `All about lamps. ${LONG}`, ['/oil', '/copy', '/short', '/missing', '/a', '/old-one']),
      '/wicks': htmlPage('Wicks of cotton', `Cotton wicks are woven. ${LONG}`),
      '/oil': htmlPage('Oil for lamps', `Whale oil was used once. ${LONG}`),
      '/copy': htmlPage('Oil for lamps', `Palm oil is used today. ${LONG}`),
      '/short': htmlPage('Short', 'Little.'),
      '/draft': htmlPage('Draft', LONG).replace('<head>', '<head><meta name="robots" content="noindex">'),
      '/a': redirect('/b'),
      '/b': redirect('/c'),
      '/c': redirect('/oil'),
      '/old-one': htmlPage('The former page', `It is linked only at first. ${LONG}`),
    });
    siteId = await service.createSite(web.origin);
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });

  const health = async (): Promise<Json> => (await service.api('GET', `/sites/${siteId}/health`)).body;
  const healthAfter = async (jobId: string): Promise<Json> =>
    eventually(async () => {
      const body = await health();
      return String(body.jobId) === jobId ? body : undefined;
    });
  const crawl = async (): Promise<Json> => {
    const jobId = await service.startCrawl(siteId);
    await service.ended(jobId);
    return healthAfter(jobId);
  };
  const findingOf = (body: Json, kind: string): Json | undefined =>
    listOf(body.findings).find((finding) => String(finding.kind) === kind);

  it('the health of a site is unknown before the first crawl', async () => {
    expect(await health()).toEqual({ siteId, checkedAt: null, findings: [], languages: [], history: [] });
  });

  it('the health of a site names the findings of the crawl, with examples and what to do', async () => {
    const body = await crawl();
    const { origin } = web;
    expect(findingOf(body, 'sitemap_not_indexed')).toMatchObject({
      count: 2,
      reasons: { noindex: 1, 404: 1 },
      examples: expect.arrayContaining([{ url: `${origin}/draft`, reason: 'noindex' }]),
      advice: expect.stringContaining('trace'),
    });
    expect(findingOf(body, 'broken_link')).toMatchObject({
      count: 1,
      examples: [{ url: `${origin}/missing`, reason: '404', foundOn: `${origin}/` }],
    });
    expect(findingOf(body, 'redirect_chain')).toMatchObject({
      examples: expect.arrayContaining([
        { url: `${origin}/a`, foundOn: `${origin}/`, leadsTo: [`${origin}/b`, `${origin}/c`, `${origin}/oil`] },
      ]),
    });
    expect(findingOf(body, 'same_title')).toMatchObject({
      count: 2,
      examples: expect.arrayContaining([{ url: `${origin}/copy`, title: 'Oil for lamps' }]),
    });
    expect(findingOf(body, 'thin')).toMatchObject({ count: 1, examples: [{ url: `${origin}/short` }] });
    expect(findingOf(body, 'unlinked')).toBeUndefined();
    expect(body).toMatchObject({ pages: 6, languages: [{ language: 'en', pages: 6 }] });
  });

  it('the self-check searches pages by their own words, and keeps the shares of each crawl', async () => {
    const first = await health();
    expect(first.selfCheck).toMatchObject({ byTitle: { searched: 6, firstTen: 6 } });
    web.pages.set('/', htmlPage('Start', `All about lamps. ${LONG}`, ['/oil', '/copy', '/short']));
    const second = await crawl();
    expect(listOf(second.history)).toMatchObject([{ jobId: second.jobId }, { jobId: first.jobId }]);
    expect(findingOf(second, 'unlinked')).toMatchObject({
      count: 1,
      examples: [{ url: `${web.origin}/old-one`, title: 'The former page' }],
    });
    expect(findingOf(second, 'broken_link')).toBeUndefined();
  });

  it('the self-check is not counted in analytics', async () => {
    const { body } = await service.api('GET', `/analytics?siteId=${siteId}`);
    expect(body.totalSearches).toBe(0);
  });

  it('the health of a site is not shown to other organisations', async () => {
    const other = service.client((await service.makeOrganisation('enterprise')).apiKey);
    expect((await other('GET', `/api/sites/${siteId}/health`)).status).toBe(404);
  });
});
