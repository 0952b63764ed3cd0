import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SeededRandom } from '../simulation/seeded-random.ts';
import { type Json, listOf } from '../support/answer.ts';
import { eventually } from '../support/eventually.ts';
import { LocalService } from '../support/local-service.ts';
import { htmlPage, type WebSite, webSite } from '../support/web-site.ts';

const PAGES = 200;
const LOST = 120;
const BACK = 40;
const ANSWER_MS = 20;
const KILLS = 4;
/**
 * Determines the delays before the kills: `KILL_SEED=<seed> npm run test:services -- test/e2e/vanished` repeats a run.
 */
const SEED = Number(process.env.KILL_SEED ?? randomInt(2 ** 32));

const paths = Array.from({ length: PAGES }, (_, i) => `/topic-${i.toString(36)}-${(i * 7919) % 10_007}`);
const lost = paths.slice(0, LOST);
const textOf = (path: string) => htmlPage(path, `This is ${path}, and no other page is like it.`);

describe('a site that loses most of its pages, while the service is killed', () => {
  let service: LocalService;
  let site: WebSite;
  const random = new SeededRandom(SEED);

  beforeAll(async () => {
    site = await webSite({ '/': htmlPage('The start', 'All pages are listed here.', paths) });
    for (const path of paths) restore(path);
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
  });
  afterAll(async () => {
    await service.end();
    await site.close();
  });

  /** Slow, so that the kills come in between. */
  const restore = (path: string): void => {
    site.pages.set(path, (_, response) => {
      setTimeout(() => response.writeHead(200, { 'Content-Type': 'text/html' }).end(textOf(path)), ANSWER_MS);
    });
  };
  const lose = (path: string): void => {
    site.pages.set(path, (_, response) => {
      setTimeout(() => response.writeHead(404).end(), ANSWER_MS);
    });
  };
  const killRepeatedly = async (): Promise<void> => {
    for (let kill = 0; kill < KILLS; kill++) {
      await delay(random.int(0, 800));
      await service.kill('SIGKILL');
      await service.restart();
    }
  };
  const pagesOf = async (siteId: string): Promise<readonly string[]> => {
    const urls: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await service.api('GET', `/sites/${siteId}/pages?limit=200${cursor}`);
      urls.push(...listOf(body.items).map(({ url }) => String(url).slice(site.origin.length)));
      if (!body.hasMore) return urls.sort();
      cursor = `&cursor=${encodeURIComponent(String(body.nextCursor))}`;
    }
  };

  it(`keeps all pages until a review is approved, then deletes those still gone (KILL_SEED=${SEED})`, async () => {
    const siteId = await service.createSite(`${site.origin}/`, { maxPages: 1000 });
    await service.ended(await service.startCrawl(siteId));
    for (const path of lost) lose(path);
    const jobId = await service.startCrawl(siteId);
    await killRepeatedly();
    const job = await service.ended(jobId, 60_000);
    expect(job).toMatchObject({ status: 'completed', pagesErrored: LOST, pagesRemoved: 0, pagesHeld: LOST });
    expect(await pagesOf(siteId)).toEqual(['/', ...paths].sort());

    const review = `/sites/${siteId}/reviews/${job.reviewId}`;
    const returned = lost.slice(0, BACK);
    for (const path of returned) restore(path);
    expect((await service.api('POST', `${review}/approve`)).status).toBe(200);
    await killRepeatedly();
    const sweep = await eventually(async () => {
      const { body } = await service.api('GET', review);
      return String((body.sweep as Json).status) === 'running' ? undefined : body.sweep;
    }, 60_000);
    expect(sweep).toEqual({ status: 'done', deleted: LOST - BACK, kept: BACK });
    expect(await pagesOf(siteId)).toEqual(['/', ...paths.slice(LOST), ...returned].sort());
    const { body } = await service.api('GET', `/sites/${siteId}`);
    expect(body).toMatchObject({ status: 'ready', pageCount: 1 + PAGES - LOST + BACK });
    const gone = lost[BACK] ?? '';
    const found = await service.visit(`/public/sites/${siteId}/search?q=${encodeURIComponent(gone)}&minScore=0`);
    expect(listOf(found.body.results).map(({ url }) => url)).not.toContain(site.origin + gone);
  }, 120_000);
});
