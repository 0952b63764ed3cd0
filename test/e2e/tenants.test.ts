import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';
import { type ScriptedServer, scriptedServer, silence } from '../support/scripted-server.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const WEBHOOKS = 20;
/** Beside others that waste ten seconds for each message. Alone it takes less than a tenth of a second. */
const SOON_MS = 5000;

describe('the webhooks of an organisation', () => {
  let service: LocalService;
  let web: WebSite;
  let silent: ScriptedServer;
  let receiver: ScriptedServer;
  let other: ApiClient;

  beforeAll(async () => {
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1', WEBHOOK_ALLOW_HOSTS: '127.0.0.1' } });
    web = await webSite({ '/': htmlPage('Start', 'All of it.') });
    silent = await scriptedServer(silence);
    receiver = await scriptedServer((response) => response.writeHead(204).end());
    other = service.client((await service.makeOrganisation('enterprise')).apiKey);
  });
  afterAll(async () => {
    await service.end();
    await Promise.all([web.close(), silent.close(), receiver.close()]);
  });

  it('do not wait for those of another one whose servers do not answer', async () => {
    const body = { name: 'Other', baseUrl: web.origin };
    const { siteId } = (await other('POST', '/api/sites', { body })).body;
    for (let n = 0; n < WEBHOOKS; n++)
      await other('POST', `/api/sites/${siteId}/webhooks`, { body: { url: `${silent.url}/${n}` } });
    for (let crawl = 0; crawl < 3; crawl++) {
      const { jobId } = (await other('POST', `/api/sites/${siteId}/crawl`)).body;
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
});
