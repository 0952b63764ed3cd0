import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';
import { type ScriptedServer, scriptedServer, silence } from '../support/scripted-server.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const WEBHOOKS = 20;
/**
 * The time for a delivery while other organisations waste ten seconds for each message. Alone it takes less than 0.1 s.
 */
const SOON_MS = 5000;

/** Alone it takes a second, on a busy machine ten. In one queue with slow pages it took minutes. */
const CRAWL_MS = 30_000;
const PAGES = 20;
const pathOf = (n: number): string => (n === 0 ? '/' : `/${n}`);
const paths = Array.from({ length: PAGES }, (_, n) => pathOf(n));
const smallPages = () =>
  Object.fromEntries(paths.map((path) => [path, htmlPage(`Page ${path}`, `The text of ${path} is short.`, paths)]));
/** A megabyte of paragraphs each, which are left out: reading them takes time, and there is nothing to index. */
const slowPages = () => {
  const paragraphs = '<p class=c1>x'.repeat(75_000);
  return Object.fromEntries(
    paths.map((path) => [path, `${htmlPage(`Page ${path}`, `The text of ${path}.`, paths)}<div>${path}${paragraphs}`]),
  );
};

describe('organisations that share a server with a slow one', () => {
  let service: LocalService;
  let web: WebSite;
  let silent: ScriptedServer;
  let receiver: ScriptedServer;
  let other: ApiClient;

  beforeAll(async () => {
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1', WEBHOOK_ALLOW_HOSTS: '127.0.0.1' } });
    web = await webSite(smallPages());
    silent = await scriptedServer(silence);
    receiver = await scriptedServer((response) => response.writeHead(204).end());
    other = service.client((await service.makeOrganisation('enterprise')).apiKey);
  });
  afterAll(async () => {
    await service.end();
    await Promise.all([web.close(), silent.close(), receiver.close()]);
  });

  const siteOfOther = async (baseUrl: string, crawlerConfig = {}): Promise<string> => {
    const { body } = await other('POST', '/api/sites', { body: { name: 'Other', baseUrl, crawlerConfig } });
    return String(body.siteId);
  };
  const crawlOfOther = async (siteId: string): Promise<string> =>
    String((await other('POST', `/api/sites/${siteId}/crawl`)).body.jobId);

  it('organisations do not wait for webhooks of another one to servers that do not answer', async () => {
    const siteId = await siteOfOther(web.origin);
    for (let n = 0; n < WEBHOOKS; n++)
      await other('POST', `/api/sites/${siteId}/webhooks`, { body: { url: `${silent.url}/${n}` } });
    for (let crawl = 0; crawl < 3; crawl++) {
      const jobId = await crawlOfOther(siteId);
      await eventually(async () =>
        String((await other('GET', `/api/jobs/${jobId}`)).body.status) === 'completed' ? true : undefined,
      );
    }
    await eventually(async () => silent.requests[0]);
    const own = await service.createSite(web.origin);
    await service.api('POST', `/sites/${own}/webhooks`, { url: receiver.url });
    await service.ended(await service.startCrawl(own));
    const ended = performance.now();
    await eventually(async () => receiver.requests[0], 2 * SOON_MS);
    expect(performance.now() - ended).toBeLessThan(SOON_MS);
  });

  it('organisations crawl as fast as alone while another one has pages that take seconds to read', async () => {
    const sites = await Promise.all(Array.from({ length: 3 }, () => webSite(slowPages())));
    const excludeSelectors = ['p.c1', ...Array.from({ length: 49 }, (_, n) => `div p + p ~ p:nth-of-type(2n+${n}).c2`)];
    for (const { origin } of sites) await crawlOfOther(await siteOfOther(origin, { excludeSelectors }));
    await eventually(async () => (sites.some(({ requests }) => requests.includes('/1')) ? true : undefined), 90_000);
    const started = performance.now();
    const own = await service.createSite(web.origin);
    expect(await service.ended(await service.startCrawl(own), 120_000)).toMatchObject({ pagesProcessed: PAGES });
    expect(performance.now() - started).toBeLessThan(CRAWL_MS);
    await Promise.all(sites.map((site) => site.close()));
  }, 180_000);
});
