import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, listOf } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const names = ['alder', 'birch', 'cedar', 'dogwood', 'elm', 'fir', 'ginkgo'];

function trees(): Record<string, string> {
  const pages = names.map((name) => [`/${name}`, htmlPage(name, `The ${name} is a tree unlike the others.`)]);
  return { ...Object.fromEntries(pages), '/': htmlPage('Trees', 'All trees.', [...names, 'gone']) };
}

describe('crawl jobs', () => {
  let service: TestApi;
  let web: WebSite;
  let slow: WebSite;
  let owner: ApiClient;
  let member: ApiClient;
  let other: ApiClient;
  let siteId: string;
  let jobId: string;

  beforeAll(async () => {
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' }, workers: true });
    const [memberKey, organisation] = await Promise.all([
      service.makeKey('member'),
      service.makeOrganisation('enterprise'),
    ]);
    owner = service.client(service.ready.apiKey);
    member = service.client(memberKey);
    other = service.client(organisation.apiKey);
    web = await webSite(trees());
    slow = await webSite({
      '/': (_, response) => void setTimeout(() => response.end(htmlPage('Slow', 'Slow.')), 4000),
    });
    siteId = await service.createSite(web.origin);
    jobId = await service.startCrawl(siteId);
    await service.ended(jobId);
  });
  afterAll(async () => {
    await service.end();
    await web.close();
    await slow.close();
  });

  const start = (id: string, body?: unknown): Promise<Answer> => member('POST', `/api/sites/${id}/crawl`, { body });
  const pages = (query: string): Promise<Answer> => owner('GET', `/api/jobs/${jobId}/pages?${query}`);
  const urlsOf = ({ body }: Answer): readonly string[] => listOf(body.pages).map(({ url }) => String(url));

  it('a job reports its progress in counters that add up', async () => {
    const { body } = await member('GET', `/api/jobs/${jobId}`);
    expect(body).toEqual({
      jobId,
      siteId,
      taskId: expect.any(String),
      status: 'completed',
      endReason: 'done',
      createdAt: expect.any(Number),
      startedAt: expect.any(Number),
      completedAt: expect.any(Number),
      pagesDiscovered: 9,
      pagesCrawled: 8,
      pagesProcessed: 8,
      pagesSkipped: 0,
      pagesErrored: 1,
      errors: 1,
      outcomes: { indexed: 8, unchanged: 0, duplicate: 0, skipped: {}, gone: { 404: 1 }, failed: {} },
      pagesRemoved: 0,
    });
    expect(Number(body.completedAt)).toBeGreaterThanOrEqual(Number(body.startedAt));
    expect(Number(body.startedAt)).toBeGreaterThanOrEqual(Number(body.createdAt));
  });

  it('a job is also found below its site, and below no other', async () => {
    const { body } = await member('GET', `/api/jobs/${jobId}`);
    expect(await member('GET', `/api/sites/${siteId}/crawl/${jobId}`)).toMatchObject({ status: 200, body });
    expect((await member('GET', `/api/sites/${UNKNOWN}/crawl/${jobId}`)).status).toBe(404);
    expect((await other('GET', `/api/sites/${siteId}/crawl/${jobId}`)).status).toBe(404);
  });

  it('a job accepts overrides, which the site does not store', async () => {
    const { status, body } = await start(siteId, { maxPages: 3, maxDepth: 1 });
    expect(status).toBe(201);
    const job = await service.ended(String(body.jobId));
    expect(job).toMatchObject({ status: 'completed', endReason: 'limit', pagesCrawled: 3, pagesDiscovered: 9 });
    expect((await owner('GET', `/api/sites/${siteId}`)).body.crawlerConfig).toMatchObject({
      maxPages: 100,
      maxDepth: 3,
    });
  });

  it.each([
    ['an unknown field', { maxPage: 3 }, ['maxPage']],
    ['a pattern that can match nothing', { includePatterns: ['/a', 'docs/*'] }, ['includePatterns.1']],
    ['fields out of bounds', { maxPages: 0, maxDepth: 101, delayMs: -1 }, ['maxPages', 'maxDepth', 'delayMs']],
    ['null', { delayMs: null }, ['body.delayMs']],
    ['a list', [{}], ['body']],
  ])('are not started with %s', async (_, body, paths) => {
    const answer = await start(siteId, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(listOf(answer.body.issues).map(({ path }) => String(path).replace('body.', ''))).toEqual(
      paths.map((path) => path.replace('body.', '')),
    );
  });

  it('a site runs one job at a time, and a job can be cancelled', async () => {
    const slowSite = await service.createSite(slow.origin, { respectRobotsTxt: false });
    const started = await start(slowSite);
    const path = `/api/jobs/${started.body.jobId}`;
    expect(await start(slowSite)).toMatchObject({ status: 409, body: { code: 'crawl_running' } });
    expect(await owner('GET', `/api/sites/${slowSite}`)).toMatchObject({ body: { status: 'crawling', pageCount: 0 } });
    expect((await owner('GET', path)).body).toMatchObject({ completedAt: null, pagesSkipped: 0 });
    const cancelled = await member('DELETE', path);
    expect(cancelled).toMatchObject({
      status: 200,
      body: { status: 'cancelled', endReason: 'cancelled', pagesSkipped: 1 },
    });
    await delay(20);
    expect((await member('DELETE', path)).body).toEqual(cancelled.body);
    expect((await member('GET', path)).body).toEqual(cancelled.body);
    expect((await owner('GET', `${path}/pages?outcome=skipped&reason=cancelled`)).body.pages).toMatchObject([
      { url: `${slow.origin}/`, outcome: 'skipped', reason: 'cancelled', depth: 0 },
    ]);
    expect(await owner('GET', `/api/sites/${slowSite}`)).toMatchObject({ body: { status: 'pending' } });
    expect((await start(slowSite)).status).toBe(201);
  });

  it('jobs are listed newest first, page by page', async () => {
    const { body } = await owner('GET', `/api/sites/${siteId}/jobs`);
    const all = listOf(body.jobs).map((job) => job.jobId);
    expect(all.length).toBeGreaterThanOrEqual(2);
    expect(all.at(-1)).toBe(jobId);
    expect(all).toEqual([...all].sort().reverse());
    expect(body).toMatchObject({ nextCursor: null, hasMore: false });
    const first = await owner('GET', `/api/sites/${siteId}/jobs?limit=1`);
    expect(first.body).toMatchObject({ hasMore: true, jobs: [{ jobId: all[0] }] });
    const rest = await owner('GET', `/api/sites/${siteId}/jobs?cursor=${first.body.nextCursor}`);
    expect(listOf(rest.body.jobs).map((job) => job.jobId)).toEqual(all.slice(1));
  });

  it('the pages of a job list every URL once', async () => {
    const seen: string[] = [];
    for (let cursor = '', hasMore = true; hasMore; ) {
      const answer = await pages(`limit=2${cursor}`);
      expect(urlsOf(answer).length).toBeLessThanOrEqual(2);
      seen.push(...urlsOf(answer));
      hasMore = String(answer.body.hasMore) === 'true';
      cursor = `&cursor=${encodeURIComponent(String(answer.body.nextCursor))}`;
    }
    expect(seen.sort()).toEqual(['', ...names, 'gone'].map((name) => `${web.origin}/${name}`).sort());
  });

  it('the URLs of a job can be filtered by outcome, reason and URL', async () => {
    const gone = `${web.origin}/gone`;
    expect(urlsOf(await pages('outcome=gone'))).toEqual([gone]);
    expect(urlsOf(await pages('reason=404'))).toEqual([gone]);
    expect(urlsOf(await pages('outcome=gone&reason=410'))).toEqual([]);
    expect(urlsOf(await pages('outcome=indexed&limit=200'))).toHaveLength(8);
    expect((await pages(`url=${encodeURIComponent(gone.replace('http:', 'HTTP:'))}%23top`)).body.pages).toEqual([
      { url: gone, outcome: 'gone', reason: '404', status: 404, depth: 1, foundOn: `${web.origin}/` },
    ]);
    expect(urlsOf(await pages(`url=${encodeURIComponent(gone)}&outcome=indexed`))).toEqual([]);
    expect(urlsOf(await pages('url=nothing'))).toEqual([]);
  });

  it.each([
    ['limit=abc', 'query.limit'],
    ['limit=201', 'query.limit'],
    ['limit=0', 'query.limit'],
    ['outcome=lost', 'query.outcome'],
    ['outcome=gone&reason=robots', 'query.reason'],
    ['cursor=', 'query.cursor'],
    [`url=${'x'.repeat(2049)}`, 'query.url'],
  ])('refuse the query %s', async (query, path) => {
    expect(await pages(query)).toMatchObject({ status: 400, body: { code: 'invalid_request', issues: [{ path }] } });
  });

  it.each(['zzz', '%00', '../x', '%F0%9F%98%80', 'OUTCOME%23', 'URL%23', UNKNOWN, 'x'.repeat(4096)])(
    'refuse a cursor that was never issued (%#)',
    async (cursor) => {
      const lists = [`/api/jobs/${jobId}/pages?`, `/api/jobs/${jobId}/pages?outcome=skipped&`];
      const others = [`/api/sites/${siteId}/jobs?`, `/api/sites/${siteId}/index-pages?`];
      for (const path of [...lists, ...others]) {
        const { status, body } = await owner('GET', `${path}cursor=${cursor}`);
        expect([path, status, listOf(body.issues)[0]?.path]).toEqual([path, 400, 'query.cursor']);
      }
    },
  );

  it('a job refuses a cursor of another list or filter, and one of a URL that it does not have', async () => {
    const cursor = String((await pages('limit=1')).body.nextCursor);
    const indexed = String((await pages('limit=1&outcome=indexed')).body.nextCursor);
    const [all, some] = [cursor, indexed].map(encodeURIComponent);
    for (const query of [`outcome=indexed&cursor=${all}`, `cursor=${some}`, `outcome=gone&cursor=${some}`])
      expect([query, (await pages(query)).status]).toEqual([query, 400]);
    const missing = encodeURIComponent(`${cursor.slice(0, -4)}0000`);
    expect((await pages(`cursor=${missing}`)).status).toBe(400);
    expect((await pages(`url=${encodeURIComponent(web.origin)}&cursor=${all}`)).status).toBe(400);
    expect((await pages(`outcome=indexed&cursor=${some}`)).status).toBe(200);
    const otherSite = await service.createSite(web.origin);
    expect((await owner('GET', `/api/sites/${otherSite}/jobs?cursor=${jobId}`)).status).toBe(400);
  });

  it('a job counts every URL by outcome and reason, even those that were never visited', async () => {
    const { body } = await start(siteId, { maxPages: 3, excludePatterns: ['/fir'] });
    const job = await service.ended(String(body.jobId));
    expect(job).toMatchObject({
      endReason: 'limit',
      pagesDiscovered: 9,
      pagesProcessed: 3,
      pagesSkipped: 6,
      outcomes: { indexed: 0, unchanged: 3, skipped: { excluded: 1, over_limit: 5 }, gone: {}, failed: {} },
    });
    const site = (await owner('GET', `/api/sites/${siteId}`)).body;
    expect(site.lastCrawl).toEqual({
      jobId: job.jobId,
      status: 'completed',
      endReason: 'limit',
      completedAt: job.completedAt,
      discovered: 9,
      indexed: 0,
      unchanged: 3,
      duplicate: 0,
      skipped: 6,
      gone: 0,
      failed: 0,
    });
    const list = (await owner('GET', `/api/sites/${siteId}/jobs?limit=1`)).body;
    expect(listOf(list.jobs)[0]).toEqual(job);
  });

  it('a job warns of settings that have no effect', async () => {
    const overrides = { singleUrls: ['/elm', 'https://elsewhere.example/'] };
    const { body } = await start(siteId, overrides);
    const warnings = [`1 of the 2 listed URLs are not on ${web.origin}: they are skipped as out_of_scope`];
    expect(body).toMatchObject({ success: true, warnings });
    expect(await service.ended(String(body.jobId))).toMatchObject({ warnings, status: 'completed' });
  });

  it.each([
    ['http://10.0.0.1/docs', 'failed', 'private_address'],
    ['http://no-such-host.invalid/docs', 'failed', 'dns'],
  ])('give the start page an outcome of its own if %s cannot be reached', async (baseUrl, outcome, reason) => {
    const site = await service.createSite(baseUrl);
    const job = await service.ended(await service.startCrawl(site));
    expect(job).toMatchObject({
      status: 'failed',
      endReason: reason,
      pagesDiscovered: 1,
      pagesErrored: 1,
      pagesSkipped: 0,
      outcomes: { skipped: {}, failed: { [reason]: 1 } },
    });
    const answer = await owner('GET', `/api/jobs/${job.jobId}/pages`);
    expect(answer.body.pages).toEqual([{ url: baseUrl, outcome, reason, depth: 0 }]);
    expect((await owner('GET', `/api/jobs/${job.jobId}/pages?reason=${reason}`)).body).toMatchObject(answer.body);
    expect((await owner('GET', `/api/sites/${site}`)).body.lastCrawl).toMatchObject({ endReason: reason, failed: 1 });
  });

  it('a job skips the start page if robots.txt forbids it or cannot be read', async () => {
    for (const [robots, endReason] of [
      ['User-agent: *\nDisallow: /', 'robots'],
      [503, 'robots_unreachable'],
    ] as const) {
      const site = await webSite({
        '/': htmlPage('Start', 'Hidden.'),
        '/robots.txt': (_, response) =>
          typeof robots === 'number' ? response.writeHead(robots).end() : response.end(robots),
      });
      const job = await service.ended(await service.startCrawl(await service.createSite(site.origin)));
      expect(job).toMatchObject({ status: 'failed', endReason, outcomes: { skipped: { robots: 1 }, failed: {} } });
      const answer = await owner('GET', `/api/jobs/${job.jobId}/pages`);
      expect(answer.body.pages).toMatchObject([{ outcome: 'skipped', reason: 'robots' }]);
      await site.close();
    }
  });

  it('a job is not found for another organisation, an unknown id and a malformed id', async () => {
    for (const [method, path] of [
      ['POST', `/api/sites/${siteId}/crawl`],
      ['GET', `/api/sites/${siteId}/jobs`],
      ['GET', `/api/jobs/${jobId}`],
      ['DELETE', `/api/jobs/${jobId}`],
      ['GET', `/api/jobs/${jobId}/pages`],
    ] as const) {
      expect([path, (await other(method, path)).status]).toEqual([path, 404]);
      const unknown = path.replace(siteId, UNKNOWN).replace(jobId, UNKNOWN);
      expect([path, (await owner(method, unknown)).status]).toEqual([path, 404]);
      expect([path, (await owner(method, path.replace(siteId, 'x').replace(jobId, 'x'))).status]).toEqual([path, 404]);
    }
    expect((await owner('GET', `/api/jobs/${jobId}`)).body.status).toBe('completed');
  });
});
