import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LocalService } from '../support/local-service.ts';
import { type RawServer, rawServer } from '../support/raw-server.ts';
import { htmlPage } from '../support/web-site.ts';

const ANSWER_MS = 15;
/** Requests may arrive closer together than they were sent, by this much. */
const JITTER_MS = 60;

type Watched = RawServer & { readonly load: { now: number; most: number } };

/** A slow site of two levels that counts concurrent requests. */
async function watchedSite(pages: number, robots = ''): Promise<Watched> {
  const load = { now: 0, most: 0 };
  const slowly =
    (body: string, status = '200 OK') =>
    (socket: Socket) => {
      load.now += 1;
      load.most = Math.max(load.most, load.now);
      setTimeout(() => {
        load.now -= 1;
        const head = `HTTP/1.1 ${status}\r\nContent-Type: text/html\r\nContent-Length: ${Buffer.byteLength(body)}`;
        socket.write(`${head}\r\nLocation: /page/0\r\n\r\n${body}`);
      }, ANSWER_MS);
    };
  const links = Array.from({ length: pages }, (_, index) => `/page/${index}`);
  const page = (title: string, to: readonly string[] = []) =>
    slowly(htmlPage(title, `${title} is described here, and nowhere else.`, to));
  const server = await rawServer({
    '/robots.txt': slowly(robots),
    '/': page('The start', ['/moved', '/missing', ...links]),
    '/moved': slowly('', '302 Found'),
    '/missing': slowly('', '404 Not Found'),
    ...Object.fromEntries(links.map((link) => [link, page(`What ${link} says`)])),
  });
  return Object.assign(server, { load });
}

/** Milliseconds between the arrivals of successive requests, except for robots.txt. */
function pauses({ requests }: RawServer): readonly number[] {
  const times = requests.filter(({ path }) => path !== '/robots.txt').map(({ at }) => at);
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

/** A late request makes one pause longer and the next one shorter: only median and sum must keep the delay. */
function expectPauses(site: RawServer, delayMs: number): void {
  const sorted = pauses(site).toSorted((a, b) => a - b);
  const sum = sorted.reduce((total, pause) => total + pause, 0);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeGreaterThan(delayMs - JITTER_MS);
  expect(sum).toBeGreaterThan(sorted.length * delayMs - JITTER_MS);
}

describe('a crawled server', () => {
  let service: LocalService;
  const sites: RawServer[] = [];

  beforeAll(async () => {
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
  });
  afterAll(async () => {
    await service.end();
    for (const site of sites) await site.close();
  });

  async function crawled(site: Watched, config: object): Promise<Watched> {
    sites.push(site);
    const siteId = await service.createSite(site.origin, config);
    const job = await service.ended(await service.startCrawl(siteId));
    expect(job).toMatchObject({ status: 'completed', endReason: 'done' });
    return site;
  }

  it('a crawled server gets at most five connections and five requests at once, and gets as many', async () => {
    const site = await crawled(await watchedSite(60), {});
    expect(site.load.most).toBe(5);
    expect(site.connections.most).toBe(5);
    expect(site.connections.made).toBeLessThan(10);
    expect(site.requests.length).toBeGreaterThan(60);
  });

  it('a crawled server gets one request at a time after a pause if a delay is set, redirects and failures included', async () => {
    const site = await crawled(await watchedSite(6), { delayMs: 150 });
    expect([site.load.most, site.connections.most]).toEqual([1, 1]);
    expect(pauses(site).length).toBeGreaterThanOrEqual(8);
    expectPauses(site, 150);
  });

  it('a crawled server gets the pause of its robots.txt, if that is longer', async () => {
    const asked = await watchedSite(2, 'User-agent: *\nCrawl-delay: 0.3\nDisallow: /missing');
    const site = await crawled(asked, { delayMs: 20 });
    expect(site.load.most).toBe(1);
    expectPauses(site, 300);
    expect(site.requests.map(({ path }) => path)).not.toContain('/missing');
  });

  it('a crawled server gets the pause of the settings if its robots.txt is ignored', async () => {
    const asked = await watchedSite(2, 'User-agent: *\nCrawl-delay: 20\nDisallow: /');
    const site = await crawled(asked, { respectRobotsTxt: false, delayMs: 100 });
    expectPauses(site, 100);
    expect(site.requests.map(({ path }) => path)).toContain('/page/1');
  });
});
