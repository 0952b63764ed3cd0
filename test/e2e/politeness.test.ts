import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LocalService } from '../support/local-service.ts';
import { type RawServer, rawServer } from '../support/raw-server.ts';
import { htmlPage } from '../support/web-site.ts';

const ANSWER_MS = 15;
/** Two requests may arrive closer together than they were sent: this much is forgiven. */
const JITTER_MS = 60;

type Watched = RawServer & { readonly load: { now: number; most: number } };

/** A site of so many pages, in two levels, that answers slowly and counts the requests that it has at once. */
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
  const links = Array.from({ length: pages }, (_, place) => `/page/${place}`);
  const page = (title: string, to: readonly string[] = []) =>
    slowly(htmlPage(title, `${title} is told of here, and nowhere else.`, to));
  const server = await rawServer({
    '/robots.txt': slowly(robots),
    '/': page('The start', ['/moved', '/missing', ...links]),
    '/moved': slowly('', '302 Found'),
    '/missing': slowly('', '404 Not Found'),
    ...Object.fromEntries(links.map((link) => [link, page(`What ${link} says`)])),
  });
  return Object.assign(server, { load });
}

/** Milliseconds between the arrivals of neighbouring requests, without that for robots.txt. */
function pauses({ requests }: RawServer): readonly number[] {
  const times = requests.filter(({ path }) => path !== '/robots.txt').map(({ at }) => at);
  return times.slice(1).map((time, place) => time - (times[place] ?? 0));
}

/** A request that is held up on its way makes one pause longer and the next one shorter: all together they keep to the delay. */
function expectPauses(site: RawServer, delayMs: number): void {
  const sorted = pauses(site).toSorted((a, b) => a - b);
  const sum = sorted.reduce((total, pause) => total + pause, 0);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeGreaterThan(delayMs - JITTER_MS);
  expect(sum).toBeGreaterThan(sorted.length * delayMs - JITTER_MS);
}

describe('by its own log, a site', () => {
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

  it('has five connections and five requests at once at most, and is not spared either', async () => {
    const site = await crawled(await watchedSite(60), {});
    expect(site.load.most).toBe(5);
    expect(site.connections.most).toBe(5);
    expect(site.connections.made).toBeLessThan(10);
    expect(site.requests.length).toBeGreaterThan(60);
  });

  it('has one request at a time and a pause before each where a delay is set, redirects and failures included', async () => {
    const site = await crawled(await watchedSite(6), { delayMs: 150 });
    expect([site.load.most, site.connections.most]).toEqual([1, 1]);
    expect(pauses(site).length).toBeGreaterThanOrEqual(8);
    expectPauses(site, 150);
  });

  it('has the pause that its robots.txt asks for, if that is longer', async () => {
    const asked = await watchedSite(2, 'User-agent: *\nCrawl-delay: 0.3\nDisallow: /missing');
    const site = await crawled(asked, { delayMs: 20 });
    expect(site.load.most).toBe(1);
    expectPauses(site, 300);
    expect(site.requests.map(({ path }) => path)).not.toContain('/missing');
  });

  it('has the pause that its owner asks for where its robots.txt is ignored', async () => {
    const asked = await watchedSite(2, 'User-agent: *\nCrawl-delay: 20\nDisallow: /');
    const site = await crawled(asked, { respectRobotsTxt: false, delayMs: 100 });
    expectPauses(site, 100);
    expect(site.requests.map(({ path }) => path)).toContain('/page/1');
  });
});
