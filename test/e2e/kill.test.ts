import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FILE_NAME } from '../../local/sqlite/schema.ts';
import { SeededRandom } from '../simulation/seeded-random.ts';
import { listOf } from '../support/answer.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const PAGES = 400;
const KILLS = 20;
/** Determines the delays before the kills: `KILL_SEED=<seed> npm run test:services -- test/e2e/kill` repeats a run. */
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

/** Counts the texts of all sites in the file of a running service. */
function storedTexts(dataDir: string): number {
  const database = new DatabaseSync(join(dataDir, FILE_NAME), { readOnly: true });
  try {
    return Number(database.prepare('SELECT count(*) AS texts FROM page').get()?.texts);
  } finally {
    database.close();
  }
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

  it('fails no crawl that waited for its site at each of ten kills', async () => {
    let isSlow = true;
    const slow = await webSite({
      '/': htmlPage('Start', 'Where it begins.', ['/next']),
      '/next': htmlPage('Next', 'Where it goes on.'),
      '/robots.txt': (_, response) => void (isSlow || response.writeHead(404).end()),
    });
    const jobId = await service.startCrawl(await service.createSite(slow.origin));
    for (let kill = 1; kill <= 10; kill++) {
      await eventually(async () => slow.requests.length >= kill, 20_000);
      await service.kill('SIGKILL');
      if (kill === 10) isSlow = false;
      await service.restart();
    }
    expect(await service.ended(jobId, 60_000)).toMatchObject({ status: 'completed', pagesProcessed: 2 });
    await slow.close();
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

  const pageCount = async (siteId: string) => Number((await service.api('GET', `/sites/${siteId}`)).body.pageCount);

  /** Returns what the list, the count and the search say about a site. */
  async function views(siteId: string) {
    const listed = await service.api('GET', `/sites/${siteId}/pages?limit=200`);
    const found = await service.visit(`/public/sites/${siteId}/search?q=lighthouse&minScore=0&limit=100`);
    return [listOf(listed.body.items).length, await pageCount(siteId), Number(found.body.totalResults)] as const;
  }

  /** Kills the service soon after a request has begun to change the page count; answers the number of pages then. */
  async function killedDuring(siteId: string, request: () => Promise<unknown>, afterMs: number): Promise<number> {
    const before = await pageCount(siteId);
    let isAnswered = false;
    const answer = request()
      .catch(() => undefined)
      .finally(() => {
        isAnswered = true;
      });
    await eventually(async () => isAnswered || (await pageCount(siteId)) !== before);
    await delay(afterMs);
    await service.kill('SIGKILL');
    await answer;
    await service.restart();
    const [count] = await eventually(async () => {
      const all = await views(siteId);
      return new Set(all).size === 1 && all;
    }, 10_000);
    return count;
  }

  it(`finishes its ingestions and deletions soon after a kill (KILL_SEED=${SEED})`, async () => {
    const random = new SeededRandom(SEED);
    const siteId = await service.createSite(site.origin);
    const pages = Array.from({ length: 100 }, (_, i) => ({
      url: `/lamp-${i}`,
      contentType: 'text',
      content: `Lamp ${i} of the lighthouse. ${`It turns ${i} times. `.repeat(100)}`,
    }));
    const ingest = () => service.api('POST', `/sites/${siteId}/pages`, { pages });
    const remove = () => service.api('DELETE', `/sites/${siteId}/pages`, { patterns: ['/lamp-*'] });
    for (let round = 0; round < 4; round++) {
      await killedDuring(siteId, ingest, random.int(0, 30));
      await ingest();
      expect(await views(siteId)).toEqual([pages.length, pages.length, pages.length]);
      const left = await killedDuring(siteId, remove, random.int(0, 5));
      expect((await remove()).body).toMatchObject({ deletedPages: left, complete: true });
      expect(await views(siteId)).toEqual([0, 0, 0]);
    }
    // A killed writer leaves texts without a row. A start removes them.
    const kept = PAGES + 2 + 1; // of the tests above
    expect(await eventually(async () => storedTexts(service.dataDir) === kept, 10_000)).toBe(true);
  }, 180_000);
});

describe('a service that a page kills whenever it is read', () => {
  const preload = new URL('../fixtures/threads/killed-by-a-page.ts', import.meta.url);
  let service: LocalService;
  let site: WebSite;
  let deadly: WebSite;

  beforeAll(async () => {
    site = await webSite(tree());
    deadly = await webSite({
      '/': htmlPage('Start', 'Where it begins.', ['/a', '/deadly', '/b']),
      '/a': htmlPage('A', 'It is about apples.'),
      '/b': htmlPage('B', 'It is about bees.'),
      '/deadly': htmlPage('Deadly', 'A page, and it kills its reader.'),
    });
    service = await LocalService.start({
      env: { CRAWL_ALLOW_HOSTS: '127.0.0.1', NODE_OPTIONS: `--import=${preload.href}` },
    });
  });
  afterAll(async () => {
    await service.end();
    await Promise.all([site.close(), deadly.close()]);
  });

  it('gives up that page after three deaths alone, and no other page or crawl', async () => {
    const other = await service.startCrawl(await service.createSite(site.origin, { maxPages: 1000, maxDepth: 20 }));
    const jobId = await service.startCrawl(await service.createSite(deadly.origin));
    const job = await eventually(async () => {
      try {
        const { body } = await service.api('GET', `/jobs/${jobId}`);
        return String(body.status) === 'completed' ? body : undefined;
      } catch {
        await service.kill('SIGKILL'); // waits until it has ended
        await service.restart().catch(() => undefined); // the page may kill it before it is ready
        return undefined;
      }
    }, 120_000);
    expect(job).toMatchObject({ pagesProcessed: 3, pagesErrored: 1 });
    const { body } = await service.api('GET', `/jobs/${jobId}/pages?outcome=failed`);
    expect(listOf(body.pages)).toMatchObject([{ url: `${deadly.origin}/deadly`, reason: 'gave_up' }]);
    expect(deadly.requests.filter((path) => path === '/deadly')).toHaveLength(4);
    expect(await service.ended(other, 60_000)).toMatchObject({ status: 'completed', pagesProcessed: PAGES });
  }, 180_000);
});
