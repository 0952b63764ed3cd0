import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PageFetcher } from '../../lambdas/domain/ports/page-fetcher.ts';
import { type WebSite, webSite } from '../support/web-site.ts';

const privateHost = '127.0.0.1:8787';
const publicSite = 'https://public.example/';

describe('the private hosts that may be reached for a site', () => {
  let intranet: WebSite;
  let elsewhere: WebSite;
  let openFetcher: typeof import('../../lambdas/runtime/crawl-deps.ts').crawlDeps.openFetcher;
  let allowHosts: typeof import('../../lambdas/runtime/allow-hosts.ts').allowHosts;

  beforeAll(async () => {
    const pages = { '/robots.txt': 'User-agent: *', '/sitemap.xml': '<urlset></urlset>', '/': 'It begins.' };
    [intranet, elsewhere] = await Promise.all([webSite(pages), webSite(pages)]);
    process.env.CRAWL_ALLOW_HOSTS = intranet.host;
    // The environment is read when these are loaded.
    ({ allowHosts } = await import('../../lambdas/runtime/allow-hosts.ts'));
    ({ openFetcher } = (await import('../../lambdas/runtime/crawl-deps.ts')).crawlDeps);
  });
  afterAll(async () => {
    delete process.env.CRAWL_ALLOW_HOSTS;
    await Promise.all([intranet.close(), elsewhere.close()]);
  });

  async function fetched(baseUrl: string, url: string): Promise<number | string> {
    const fetcher: PageFetcher = openFetcher({ baseUrl });
    try {
      const result = await fetcher.fetch({ url, maxBytes: 1000, timeoutMs: 10_000 });
      return result.kind === 'response' ? result.status : result.reason;
    } finally {
      await fetcher.close();
    }
  }

  it.each(['/robots.txt', '/sitemap.xml', '/'])('are no places for %s of a public site', async (path) => {
    const before = intranet.requests.length;
    expect(await fetched(publicSite, intranet.origin + path)).toBe('private_address');
    expect(intranet.requests).toHaveLength(before);
    expect(await fetched(`${intranet.origin}/docs`, intranet.origin + path)).toBe(200);
  });

  it('are those that are named, also for a site on one of them', async () => {
    expect(await fetched(intranet.origin, `${elsewhere.origin}/`)).toBe('private_address');
    expect(elsewhere.requests).toEqual([]);
  });

  it('have the site’s own among them, unless it has moved away', () => {
    expect(allowHosts({ privateHost, baseUrl: `http://${privateHost}/demo/` })).toEqual([intranet.host, privateHost]);
    expect(allowHosts({ privateHost, baseUrl: publicSite })).toEqual([]);
    expect(allowHosts({ baseUrl: `http://${privateHost}/demo/` })).toEqual([]);
  });
});
