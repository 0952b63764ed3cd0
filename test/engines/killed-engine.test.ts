import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../support/answer.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';
import { type TcpRelay, tcpRelay } from '../support/tcp-relay.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';
import type { RunningEngine } from './engine-process.ts';
import { engines } from './engines.ts';

const PAGES = 300;
/** Long, because the machine may be busy. */
const PATIENCE_MS = 120_000;
/** The promise of `PageIndex`. */
const MAX_REFUSAL_MS = 5000;

const nameOf = (i: number) => `page-${i.toString(36)}-${(i * 7919) % 10_007}`;
const pages = Array.from({ length: PAGES }, (_, i) => [
  i === 0 ? '/' : `/${nameOf(i)}`,
  htmlPage(
    nameOf(i),
    `The gopher of ${nameOf(i)} lives in the burrow with the number ${i}.`,
    [2 * i + 1, 2 * i + 2].filter((child) => child < PAGES).map((child) => `/${nameOf(child)}`),
  ),
]);

describe('A crawl whose search engine is killed', () => {
  const folder = temporaryFolder();
  const running: RunningEngine[] = [];
  let relay: TcpRelay;
  let site: WebSite;
  let service: LocalService;

  async function startEngine(): Promise<RunningEngine> {
    const engine = await engines.opensearch.start(folder.path);
    running.push(engine);
    return engine;
  }

  beforeAll(async () => {
    const { url } = await startEngine();
    relay = await tcpRelay(url);
    site = await webSite(Object.fromEntries(pages));
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1', OPENSEARCH_URL: relay.url } });
  }, PATIENCE_MS);
  afterAll(async () => {
    await service.end();
    relay.close();
    await site.close();
    for (const engine of running) await engine.stop();
    folder.remove();
  }, PATIENCE_MS);

  const job = async (jobId: string) => (await service.api('GET', `/jobs/${jobId}`)).body;
  const search = (siteId: string, words: string) => service.visit(`/public/sites/${siteId}/search?q=${words}`);

  async function indexed(siteId: string): Promise<readonly string[]> {
    const urls: string[] = [];
    let cursor = '';
    do {
      const { body } = await service.api('GET', `/sites/${siteId}/pages?search=page-&limit=100${cursor}`);
      urls.push(...listOf(body.items).map(({ url }) => String(url)));
      cursor = body.hasMore ? `&cursor=${encodeURIComponent(String(body.nextCursor))}` : '';
    } while (cursor);
    return urls;
  }

  it(
    'waits until it runs again, loses no page and indexes none twice',
    async () => {
      const siteId = await service.createSite(site.origin, { maxPages: 1000, maxDepth: 20 });
      const jobId = await service.startCrawl(siteId);
      await eventually(async () => Number((await job(jobId)).pagesProcessed) >= 50);
      await running[0]?.kill();

      const start = performance.now();
      expect(await search(siteId, 'gopher')).toMatchObject({ status: 503, body: { code: 'search_unavailable' } });
      expect(performance.now() - start).toBeLessThan(MAX_REFUSAL_MS);
      expect((await job(jobId)).status).toBe('running');

      relay.leadTo((await startEngine()).url);
      const ended = await service.ended(jobId, PATIENCE_MS);
      expect(ended).toMatchObject({
        status: 'completed',
        endReason: 'done',
        pagesDiscovered: PAGES,
        pagesProcessed: PAGES,
        pagesErrored: 0,
        pagesSkipped: 0,
      });
      expect((await indexed(siteId)).toSorted()).toEqual(
        [...site.pages.keys()].map((path) => site.origin + path).toSorted(),
      );
      for (const i of [1, 100, PAGES - 1]) {
        const { body } = await search(siteId, nameOf(i));
        expect(listOf(body.results)[0]?.url).toBe(`${site.origin}/${nameOf(i)}`);
      }
    },
    2 * PATIENCE_MS,
  );
});
