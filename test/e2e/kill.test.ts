import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SeededRandom } from '../simulation/seeded-random.ts';
import { listOf } from '../support/answer.ts';
import { LocalService } from '../support/local-service.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const PAGES = 400;
const KILLS = 20;
/** Determines the delays before the kills: `KILL_SEED=<seed> npm test -- test/e2e/kill` repeats a run. */
const SEED = Number(process.env.KILL_SEED ?? randomInt(2 ** 32));

/** Unique, so that no page is a duplicate of another. */
const nameOf = (i: number) => `page-${i.toString(36)}-${(i * 7919) % 10_007}`;

/** A tree of pages, each with links to its children, its parent and the start. */
function tree(): Record<string, string> {
  const links = (i: number) =>
    [2 * i + 1, 2 * i + 2].filter((child) => child < PAGES).map((child) => `/${nameOf(child)}`);
  const pages = Array.from({ length: PAGES }, (_, i) => [
    i === 0 ? '/' : `/${nameOf(i)}`,
    htmlPage(nameOf(i), `This is ${nameOf(i)}, the page with the number ${i}.`, [...links(i), '/']),
  ]);
  return Object.fromEntries(pages);
}

describe('a service that is killed repeatedly', () => {
  let service: LocalService;
  let site: WebSite;

  beforeAll(async () => {
    site = await webSite(tree());
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
  });
  afterAll(async () => {
    await service.end();
    await site.close();
  });

  it(`loses no page of a crawl, indexes none twice, and counts correctly (KILL_SEED=${SEED})`, async () => {
    const random = new SeededRandom(SEED);
    const siteId = await service.createSite(site.origin, { maxPages: 1000, maxDepth: 20 });
    const jobId = await service.startCrawl(siteId);
    for (let kill = 0; kill < KILLS; kill++) {
      await delay(random.int(0, 400));
      await service.kill('SIGKILL');
      await service.restart();
    }
    const job = await service.ended(jobId, 60_000);
    expect(job).toMatchObject({
      status: 'completed',
      endReason: 'done',
      pagesDiscovered: PAGES,
      pagesCrawled: PAGES,
      pagesProcessed: PAGES,
      pagesSkipped: 0,
      pagesErrored: 0,
    });
    const listed = new Set<string>();
    let cursor = '';
    do {
      const { body } = await service.api('GET', `/sites/${siteId}/pages?limit=200${cursor}`);
      for (const { url } of listOf(body.items)) {
        expect(listed).not.toContain(url);
        listed.add(String(url));
      }
      cursor = body.hasMore ? `&cursor=${encodeURIComponent(String(body.nextCursor))}` : '';
    } while (cursor);
    expect([...listed].sort()).toEqual([...site.pages.keys()].map((path) => site.origin + path).sort());
    expect((await service.api('GET', `/sites/${siteId}`)).body).toMatchObject({ pageCount: PAGES, status: 'ready' });
    for (const i of [1, 57, PAGES - 1]) {
      const { body } = await service.visit(`/public/sites/${siteId}/search?q=${nameOf(i)}`);
      const found = listOf(body.results).map(({ url }) => url);
      expect(found[0]).toBe(`${site.origin}/${nameOf(i)}`);
      expect(new Set(found).size).toBe(found.length);
    }
  }, 180_000);

  it('keeps ingested pages that it has confirmed', async () => {
    const siteId = await service.createSite(site.origin);
    const page = { url: '/kept', content: 'This is durable.', contentType: 'text' };
    expect((await service.api('POST', `/sites/${siteId}/pages`, { pages: [page] })).body).toMatchObject({
      processed: 1,
    });
    await service.kill('SIGKILL');
    await service.restart();
    const { body } = await service.visit(`/public/sites/${siteId}/search?q=durable`);
    expect(listOf(body.results)).toMatchObject([{ url: `${site.origin}/kept` }]);
    expect((await service.api('GET', `/sites/${siteId}`)).body).toMatchObject({ pageCount: 1, status: 'ready' });
  });
});
