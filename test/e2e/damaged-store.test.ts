import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../support/answer.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const DAMAGED = /^site-search\.sqlite is damaged: stop the service and restore a backup/;

describe('a service whose data file is damaged while it runs', () => {
  let site: WebSite;
  let service: LocalService;
  let siteId: string;

  beforeAll(async () => {
    site = await webSite({ '/': htmlPage('Burrow', 'A gopher digs here.', []) });
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
    siteId = await service.createSite(site.origin);
    await service.ended(await service.startCrawl(siteId));
    const database = new DatabaseSync(join(service.dataDir, 'site-search.sqlite'), { timeout: 10_000 });
    database.exec("UPDATE page SET body = x'a5a5a5a5'; UPDATE index_chunk SET headings = '{'");
    database.close();
  });
  afterAll(async () => {
    await service.end();
    await site.close();
  });

  it('a search fails with a sentence about the damage, and does not answer with nothing', async () => {
    const { status, body } = await service.visit(`/public/sites/${siteId}/search?q=gopher`);
    expect([status, body.code, body.error]).toEqual([500, 'store_damaged', expect.stringMatching(DAMAGED)]);
  });

  it('a crawl that meets the damage ends at once, with the same sentence', async () => {
    const job = await service.ended(await service.startCrawl(siteId));
    expect(job).toMatchObject({ status: 'failed', endReason: 'store_damaged' });
    expect(job.error).toMatch(DAMAGED);
  });
});

describe('a service that starts with a part of its data', () => {
  const PAGES = Array.from({ length: 100 }, (_, index) => ({
    url: `/lamp-${index}`,
    contentType: 'text',
    content: `Lamp ${index} of the lighthouse.`,
  }));
  let service: LocalService;
  let siteId: string;

  beforeAll(async () => {
    service = await LocalService.start();
    siteId = await service.createSite('https://www.example/');
    expect((await service.api('POST', `/sites/${siteId}/pages`, { pages: PAGES })).status).toBe(200);
  });
  afterAll(() => service.end());

  const found = async () =>
    listOf((await service.visit(`/public/sites/${siteId}/search?q=lighthouse&minScore=0&limit=100`)).body.results)
      .length;

  it.each([
    [
      'an index without rows',
      'DELETE FROM index_partition; DELETE FROM index_page; DELETE FROM index_segment',
      /index is empty/,
    ],
    ['an index without segments', 'DELETE FROM index_segment', /index is empty/],
    ['an index without passages', 'DELETE FROM index_chunk', /index is empty/],
    ['no table of pages in its index', 'DROP TABLE index_page', /lost tables.*index_page.*index is empty/s],
    ['no table of messages', 'DROP TABLE message', /lost tables.*message/],
    ['no table of figures', 'DROP TABLE day_count', /lost tables.*day_count/],
  ])(
    'finds all pages again, with %s, and says so',
    async (_, damage, words) => {
      await service.kill('SIGTERM');
      const database = new DatabaseSync(join(service.dataDir, 'site-search.sqlite'));
      database.exec(damage);
      database.close();
      const logged = service.logLines.length;
      await service.restart();
      await eventually(async () => (await found()) === PAGES.length, 30_000);
      expect(service.logLines.slice(logged).join('\n')).toMatch(words);
      const { body } = await service.api('GET', `/sites/${siteId}`);
      expect(body).toMatchObject({ pageCount: PAGES.length });
    },
    60_000,
  );

  it('says that a table has gone while it ran', async () => {
    const database = new DatabaseSync(join(service.dataDir, 'site-search.sqlite'), { timeout: 10_000 });
    database.exec('DROP TABLE page');
    database.close();
    const pages = [{ ...PAGES[0], url: '/new' }];
    // A busy machine may answer 503 first.
    const { status, body } = await eventually(async () => {
      const answer = await service.api('POST', `/sites/${siteId}/pages`, { pages });
      return answer.status !== 503 && answer;
    });
    expect([status, body.code, body.error]).toEqual([500, 'store_damaged', expect.stringMatching(DAMAGED)]);
  });
});

describe('a service whose data folder vanishes', () => {
  let service: LocalService;
  let siteId: string;
  const VANISHED = /^site-search\.sqlite was removed or replaced while the service ran: stop the service and restore/;
  const ingest = (url: string) =>
    service.api('POST', `/sites/${siteId}/pages`, { pages: [{ url, contentType: 'text', content: 'A lamp.' }] });

  beforeAll(async () => {
    service = await LocalService.start();
    siteId = await service.createSite('https://www.example/');
    expect((await ingest('/a')).status).toBe(200);
  });
  afterAll(() => service.end());

  it('acknowledges no write, until it is back', async () => {
    const away = `${service.dataDir}-away`;
    await rename(service.dataDir, away);
    const { status, body } = await ingest('/b');
    expect([status, body.code, body.error]).toEqual([500, 'store_damaged', expect.stringMatching(VANISHED)]);
    expect((await service.api('POST', '/sites', { name: 'b', baseUrl: 'https://b.example/' })).body.error).toMatch(
      VANISHED,
    );
    expect((await fetch(new URL('/health', service.ready.dashboardUrl))).status).toBe(503);
    await rename(away, service.dataDir);
    expect(await ingest('/b')).toMatchObject({ status: 200, body: { processed: 1 } });
  });

  it('acknowledges no write into a copy in its place', async () => {
    await cp(service.dataDir, `${service.dataDir}-copy`, { recursive: true });
    await rm(service.dataDir, { recursive: true });
    await rename(`${service.dataDir}-copy`, service.dataDir);
    expect((await ingest('/c')).body.error).toMatch(VANISHED);
  });
});
