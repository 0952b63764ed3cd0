import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
