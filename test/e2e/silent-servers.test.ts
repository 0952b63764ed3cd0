import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LocalService } from '../support/local-service.ts';
import { type RawServer, rawServer } from '../support/raw-server.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const SILENT = 12;

describe('crawls of servers that never answer', () => {
  let service: LocalService;
  let silent: RawServer;
  let site: WebSite;

  beforeAll(async () => {
    silent = await rawServer({ '/robots.txt': () => undefined });
    site = await webSite({ '/': htmlPage('Start', 'Where everything begins.') });
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
  });
  afterAll(async () => {
    await service.end();
    await Promise.all([silent.close(), site.close()]);
  });

  it('do not delay the crawl of another site', async () => {
    const silentJobs = [];
    for (let count = 0; count < SILENT; count++)
      silentJobs.push(await service.startCrawl(await service.createSite(silent.origin)));
    const jobId = await service.startCrawl(await service.createSite(site.origin));
    expect(await service.ended(jobId, 30_000)).toMatchObject({ status: 'completed', pagesProcessed: 1 });
    // Each crawl waits for robots.txt, three times 15 s.
    for (const silentJob of silentJobs)
      expect((await service.api('GET', `/jobs/${silentJob}`)).body).toMatchObject({ status: 'running' });
  }, 60_000);
});
