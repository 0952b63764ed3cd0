import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type Json, listOf } from '../support/answer.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite } from '../support/web-site.ts';
import { movedTo } from '../support/word-site.ts';
import { ApiAndSites } from './api-and-sites.ts';

describe('a base URL that is changed', () => {
  let service: TestApi;
  let owner: ApiClient;
  let opened: ApiAndSites;
  let serve: ApiAndSites['serve'];
  let crawl: ApiAndSites['crawl'];
  let before: WebSite;
  let after: WebSite;

  beforeAll(async () => {
    opened = await ApiAndSites.open();
    ({ service, owner, serve, crawl } = opened);
    before = await serve({ '/': htmlPage('Before', 'The walnut of old.', ['/a']), '/a': htmlPage('A', 'An acorn.') });
    after = await serve({ '/docs/': htmlPage('After', 'The hazel of today.') });
  });
  afterAll(() => opened.close());

  /** A host that counts as another site than 127.0.0.1. */
  const elsewhere = ({ origin }: WebSite): string => origin.replace('127.0.0.1', 'localhost');
  const change = (siteId: string, body: object): Promise<Answer> => owner('PUT', `/api/sites/${siteId}`, { body });
  const urlsOf = async (job: Json): Promise<readonly unknown[]> =>
    listOf((await owner('GET', `/api/jobs/${job.jobId}/pages`)).body.pages).map(({ url }) => url);

  it('a changed base URL is normalised as at creation, and the next crawl starts there', async () => {
    const siteId = await service.createSite(before.origin);
    await crawl(siteId);
    const { status, body } = await change(siteId, { baseUrl: `${elsewhere(after).toUpperCase()}/x/../docs/` });
    expect([status, body.success]).toEqual([200, true]);
    expect(body.warnings).toEqual([expect.stringContaining(`indexed pages of ${before.origin} stay`)]);
    expect((await owner('GET', `/api/sites/${siteId}`)).body.baseUrl).toBe(`${elsewhere(after)}/docs/`);
    const job = await crawl(siteId);
    expect(await urlsOf(job)).toEqual([`${elsewhere(after)}/docs/`]);
    expect(job).toMatchObject({ status: 'completed', outcomes: { indexed: 1 } });
    const pattern = { patterns: [`${before.origin}/*`] };
    expect((await owner('DELETE', `/api/sites/${siteId}/pages`, { body: pattern })).body).toMatchObject({
      deletedPages: 2,
    });
  });

  it.each(['/docs', 'docs.example', 'https://me:secret@docs.example', 'ftp://docs.example', '', null])(
    'is refused as %s',
    async (baseUrl) => {
      const siteId = await service.createSite(before.origin);
      const { status, body } = await change(siteId, { baseUrl });
      expect([status, listOf(body.issues)[0]?.path]).toEqual([400, 'body.baseUrl']);
    },
  );

  it('a running crawl does not go to the changed base URL, and its end does not change it', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const now = await serve({ '/': htmlPage('Now', 'Here now.'), '/a': htmlPage('A', 'An acorn.') });
    const slow = await serve({
      '/': (_, response) => void held.then(() => response.writeHead(301, { location: `${now.origin}/` }).end()),
    });
    const siteId = await service.createSite(slow.origin);
    const jobId = await service.startCrawl(siteId);
    await change(siteId, { baseUrl: `${elsewhere(after)}/docs/` });
    release();
    expect(await urlsOf(await service.ended(jobId))).toContain(`${now.origin}/`);
    // The crawl has seen the old base URL move to another origin, which says nothing of the new one.
    const scope = { urls: [`${now.origin}/a`, `${elsewhere(after)}/docs/`] };
    expect((await owner('PUT', `/api/sites/${siteId}/crawl-urls`, { body: scope })).body).toMatchObject({
      urls: [`${elsewhere(after)}/docs/`],
      rejected: 1,
    });
    expect(await crawl(siteId)).toMatchObject({ status: 'completed', outcomes: { indexed: 1, skipped: {} } });
  });

  it('a saved crawl scope may be out of scope after the change, which answers report', async () => {
    const siteId = await service.createSite(before.origin);
    await owner('PUT', `/api/sites/${siteId}/crawl-urls`, { body: { urls: [`${before.origin}/a`] } });
    expect((await owner('GET', `/api/sites/${siteId}/crawl-urls`)).body).not.toHaveProperty('warning');
    const warning = expect.stringContaining('1 of the 1 URLs of the crawl scope as out_of_scope');
    const baseUrl = `${elsewhere(after)}/docs/`;
    expect((await change(siteId, { baseUrl })).body).toMatchObject({ success: true, warnings: [warning] });
    expect((await owner('GET', `/api/sites/${siteId}/crawl-urls`)).body).toMatchObject({ count: 1, warning });
    const job = await crawl(siteId);
    expect(job).toMatchObject({ outcomes: { skipped: { out_of_scope: 1 } } });
    expect(job.warnings).toEqual([expect.stringContaining('1 of the 1 listed URLs are not on')]);
  });

  it('patterns stay after the change, with a warning for those that can match nothing any more', async () => {
    const siteId = await service.createSite(before.origin);
    const crawlerConfig = { includePatterns: [`${before.origin}/*`, '/docs/*'] };
    await change(siteId, { crawlerConfig });
    const baseUrl = `${elsewhere(after)}/docs/`;
    const warnings = [expect.stringContaining('crawlerConfig.includePatterns.0 can match no URL')];
    expect((await change(siteId, { baseUrl })).body.warnings).toEqual(warnings);
    const { body } = await owner('GET', `/api/sites/${siteId}`);
    expect(body).toMatchObject({ baseUrl, crawlerConfig });
    expect(await change(siteId, body)).toMatchObject({ status: 200, body: { warnings } });
    expect((await crawl(siteId)).warnings).toEqual([expect.stringContaining('includePatterns.0 can match no URL')]);
    expect((await change(siteId, { crawlerConfig: { includePatterns: ['http://x.test/'] } })).status).toBe(400);
  });

  it('pages of the new origin are shown under the domain, and those of the old origin under theirs', async () => {
    const siteId = await service.createSite(before.origin);
    await change(siteId, { domain: 'shop.example' });
    await crawl(siteId);
    const found = async (query: string) => {
      const { body } = await service.visit(`/public/sites/${siteId}/search?q=${query}`);
      return listOf(body.results).map(({ url }) => url);
    };
    expect(await found('walnut')).toEqual(['https://shop.example/']);
    await change(siteId, { baseUrl: `${elsewhere(after)}/docs/` });
    await crawl(siteId);
    expect(await found('walnut')).toEqual([`${before.origin}/`]);
    expect(await found('hazel')).toEqual(['https://shop.example/docs/']);
  });

  it('a base URL that is set to its redirect target is crawled', async () => {
    const moved = await serve({ '/': movedTo(`${before.origin}/`) });
    const siteId = await service.createSite(moved.origin);
    await crawl(siteId);
    await change(siteId, { baseUrl: before.origin });
    expect(await crawl(siteId, { singleUrls: ['/a'] })).toMatchObject({ outcomes: { indexed: 1 } });
  });
});
