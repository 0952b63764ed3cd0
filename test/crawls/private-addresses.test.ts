import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../support/answer.ts';
import { openApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { LOCAL_NAMES, LOOPBACK_HOSTS, PRIVATE_HOSTS } from '../support/private-hosts.ts';
import { type RawAnswer, type RawServer, rawServer } from '../support/raw-server.ts';
import type { TestApi } from '../support/test-api.ts';
import { htmlPage } from '../support/web-site.ts';

const REACHABLE = [...LOOPBACK_HOSTS, '[::ffff:127.0.0.1]', '[::ffff:0.0.0.0]', ...LOCAL_NAMES];
const EVERY = [...PRIVATE_HOSTS, ...LOCAL_NAMES];
/** The limit of the settings. */
const MAX_SITEMAPS = 50;
/** Enough for a busy machine; a quiet one needs a few seconds. */
const LIMIT_MS = 60_000;

const answer = (type: string, body: string): string => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n\r\n${body}`;
const redirect = (to: string): string => `HTTP/1.1 302 Found\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`;
const page = (title: string, links: readonly string[] = [], head = ''): string =>
  answer(
    'text/html',
    htmlPage(title, `${title} is described here, and nowhere else.`, links).replace('</head>', `${head}</head>`),
  );
const locations = (urls: readonly string[], element: string): string =>
  urls.map((url) => `<${element}><loc>${url}</loc></${element}>`).join('');

/** A site that may be crawled and leads to the forbidden URLs in every possible way. */
function leadingSite(forbidden: readonly string[]): Record<string, RawAnswer> {
  const kinds = ['redirect', 'refresh', 'canonical'];
  const own = kinds.flatMap((kind) => forbidden.map((_, index) => `/${kind}/${index}`));
  const each = (kind: string, make: (url: string) => string) =>
    forbidden.map((url, index) => [`/${kind}/${index}`, make(url)] as const);
  return {
    '/': page('The start', own),
    '/links': page('The links', forbidden),
    '/elsewhere': page('Elsewhere'),
    '/map.xml': answer('text/xml', `<urlset>${locations([...forbidden], 'url')}</urlset>`),
    '/index.xml': answer('text/xml', `<sitemapindex>${locations(forbidden, 'sitemap')}</sitemapindex>`),
    ...Object.fromEntries(each('redirect', redirect)),
    ...Object.fromEntries(
      each('refresh', (url) => page(`From ${url}`, [], `<meta http-equiv="refresh" content="0; url=${url}">`)),
    ),
    ...Object.fromEntries(each('canonical', (url) => page(`Of ${url}`, [], `<link rel="canonical" href="${url}">`))),
  };
}

describe('a crawl makes no connection to a private address', () => {
  let service: TestApi;
  let site: RawServer;
  let forbidden: RawServer;
  let answers: Record<string, RawAnswer>;
  const forbiddenUrl = (host: string, path = '/') => `http://${host}:${forbidden.port}${path}`;

  beforeAll(async () => {
    forbidden = await rawServer({}, { host: '::' });
    answers = leadingSite(EVERY.map((host) => forbiddenUrl(host)));
    site = await rawServer(answers);
    service = await openApi({ env: { CRAWL_ALLOW_HOSTS: site.host }, workers: true });
  });
  afterAll(async () => {
    await service.end();
    await site.close();
    await forbidden.close();
  });

  async function crawled(baseUrl: string, config: object = {}): Promise<Json> {
    const siteId = await service.createSite(baseUrl, { maxPages: 1000, ...config });
    return service.ended(await service.startCrawl(siteId), LIMIT_MS);
  }

  it(
    'from links, redirects, refreshes and canonicals',
    async () => {
      expect(EVERY.length).toBeGreaterThanOrEqual(74);
      expect(await crawled(site.origin, { maxDepth: 1 })).toMatchObject({ status: 'completed' });
      expect(await crawled(`${site.origin}/links`)).toMatchObject({ status: 'completed' });
      const asked = new Set(site.requests.map(({ path }) => path));
      expect([asked.has('/links'), asked.has(`/canonical/${EVERY.length - 1}`)]).toEqual([true, true]);
      expect(forbidden.connections.made).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'from URL lists',
    async () => {
      const singleUrls = EVERY.map((host) => forbiddenUrl(host));
      await crawled(site.origin, { singleUrls });
      const siteId = await service.createSite(site.origin);
      await service.api('PUT', `/sites/${siteId}/crawl-urls`, { urls: singleUrls });
      await service.ended(await service.startCrawl(siteId));
      expect(forbidden.connections.made).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'from sitemaps and their entries',
    async () => {
      answers['/robots.txt'] = answer(
        'text/plain',
        ['/map.xml', '/index.xml', ...EVERY.map((host) => forbiddenUrl(host, '/sitemap.xml'))]
          .map((url) => `Sitemap: ${url.startsWith('/') ? site.origin + url : url}\n`)
          .join(''),
      );
      await crawled(`${site.origin}/elsewhere`);
      for (let from = 0; from < REACHABLE.length; from += MAX_SITEMAPS) {
        const hosts = REACHABLE.slice(from, from + MAX_SITEMAPS);
        const sitemaps = hosts.map((host) => ({ url: forbiddenUrl(host, '/sitemap.xml'), recursive: true }));
        await crawled(`${site.origin}/elsewhere`, { sitemaps });
      }
      answers['/sitemap.xml'] = redirect(forbiddenUrl('127.0.0.1', '/sitemap.xml'));
      await crawled(`${site.origin}/elsewhere`, { sitemaps: [{ url: '/sitemap.xml', recursive: true }] });
      expect(forbidden.connections.made).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'from a redirect of robots.txt',
    async () => {
      const siteId = await service.createSite(`${site.origin}/elsewhere`);
      for (const host of REACHABLE) {
        answers['/robots.txt'] = redirect(forbiddenUrl(host, '/robots.txt'));
        const job = await service.ended(await service.startCrawl(siteId));
        // A resolver may not know every spelling of a name.
        expect([host, job.endReason]).toEqual([host, expect.stringMatching(/^(?:private_address|dns)$/)]);
      }
      delete answers['/robots.txt'];
      expect(forbidden.connections.made).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'as the site itself, or where it has moved',
    async () => {
      for (const host of ['127.0.0.1', '[::1]', 'localhost', '0x7f.1', '[::ffff:7f00:1]', '0']) {
        const job = await crawled(forbiddenUrl(host), { respectRobotsTxt: false });
        expect([host, job.status]).toEqual([host, 'failed']);
      }
      answers['/moved'] = redirect(forbiddenUrl('127.0.0.1'));
      await crawled(`${site.origin}/moved`, { respectRobotsTxt: false });
      await crawled(`${site.origin}/moved`);
      expect(forbidden.connections.made).toBe(0);
    },
    LIMIT_MS,
  );

  it('the server counts a connection that is made', async () => {
    const socket = connect(forbidden.port, '127.0.0.1');
    await once(socket, 'connect');
    await eventually(async () => forbidden.connections.made === 1);
    socket.destroy();
  });
});
