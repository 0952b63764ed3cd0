import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

describe('a dry run', () => {
  let service: TestApi;
  let web: WebSite;
  let siteId: string;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    web = await webSite({
      '/': htmlPage('Start', 'All about lamps and their oil.', ['/a', '/b', '/c', '/twin']),
      '/a': htmlPage('A', 'The first page is about wicks.'),
      '/b': htmlPage('B', 'The second page is about oil.'),
      '/c': htmlPage('C', 'The third page is about glass.'),
      '/twin': htmlPage('A', 'The first page is about wicks.'),
    });
    siteId = await service.createSite(web.origin);
  });
  afterAll(async () => {
    await service.end();
    await web.close();
  });

  const dryRun = async (): Promise<Json> => service.ended(await service.startCrawl(siteId, { dryRun: true }));
  /** All that a dry run must not change. */
  const state = async () => {
    const pages = (await service.api('GET', `/sites/${siteId}/index-pages`)).body;
    const {
      status,
      pageCount,
      lastCrawledAt = 0,
      lastCrawl = null,
    } = (await service.api('GET', `/sites/${siteId}`)).body;
    const { ai } = (await service.api('GET', '/usage')).body;
    return { pages, status, pageCount, lastCrawledAt, lastCrawl, ai };
  };

  it('a dry run of a new site counts the pages that would be added, and adds none', async () => {
    const before = await state();
    const job = await dryRun();
    expect(job).toMatchObject({ status: 'completed', outcomes: { indexed: 4, duplicate: 1 }, pagesRemoved: 0 });
    expect(job.dryRun).toMatchObject({ added: 4, changed: 0, unchanged: 0, gone: 0, gonePages: [] });
    expect(Number((job.dryRun as Json).embeddingTokens)).toBeGreaterThan(20);
    expect(await state()).toEqual(before);
    expect((await service.visit(`/public/sites/${siteId}/search?q=wicks`)).body.results).toEqual([]);
  });

  it('a dry run after a crawl reports later changes, and changes nothing', async () => {
    await service.ended(await service.startCrawl(siteId));
    web.pages.set('/', htmlPage('Start', 'All about lamps and their oil.', ['/a', '/b', '/new']));
    web.pages.set('/b', htmlPage('B', 'The second page is about gas now.'));
    web.pages.set('/new', htmlPage('New', 'A page that was not there.'));
    web.pages.delete('/c');
    const before = await state();
    const job = await dryRun();
    expect(job.dryRun).toMatchObject({ added: 1, gone: 1, gonePages: [{ url: `${web.origin}/c`, reason: '404' }] });
    expect(Number((job.dryRun as Json).changed)).toBeGreaterThanOrEqual(1);
    expect(job).toMatchObject({ pagesRemoved: 0 });
    expect(await state()).toEqual(before);
    const trace = (await service.api('GET', `/sites/${siteId}/trace?url=/new`)).body;
    expect(listOf(trace.history)).toEqual([]);
  });

  it('the crawl after a dry run does what the dry run reported', async () => {
    const job = await service.ended(await service.startCrawl(siteId));
    expect(job).toMatchObject({ status: 'completed', pagesRemoved: 1 });
    expect(job).not.toHaveProperty('dryRun');
    const again = await dryRun();
    expect(again.dryRun).toEqual({ added: 0, changed: 0, unchanged: 4, embeddingTokens: 0, gone: 0, gonePages: [] });
  });

  it('a dry run is started only by true or false', async () => {
    const { status } = await service.api('POST', `/sites/${siteId}/crawl`, { dryRun: 'yes' });
    expect(status).toBe(400);
  });
});
