import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listOf } from '../support/answer.ts';
import { hasBrowser } from '../support/has-browser.ts';
import { LocalService } from '../support/local-service.ts';
import { type Product, spaSite } from '../support/spa-site.ts';
import type { WebSite } from '../support/web-site.ts';

const PRODUCTS: Readonly<Record<string, Product>> = {
  spade: { name: 'A spade of ash', text: 'It has a handle of ash, and digs through clay and chalk without bending.' },
  lantern: { name: 'A storm lantern', text: 'It burns for nine hours in any wind, and its glass can be replaced.' },
};

(hasBrowser ? describe : describe.skip)('a crawl of a single-page application', () => {
  let service: LocalService;
  let site: WebSite;

  beforeAll(async () => {
    site = await spaSite(PRODUCTS);
    service = await LocalService.start({ env: { CRAWL_ALLOW_HOSTS: '127.0.0.1' } });
  });
  afterAll(async () => {
    await service.end();
    await site.close();
  });

  const outcomes = async (jobId: string) => {
    const { body } = await service.api('GET', `/jobs/${jobId}/pages?limit=200`);
    return Object.fromEntries(
      listOf(body.pages).map(({ url, outcome, reason }) => [
        String(url).replace(site.origin, ''),
        [outcome, reason].filter(Boolean).join(' '),
      ]),
    );
  };

  it.each([true, 'auto'])(
    'with javascriptEnabled %p indexes what its scripts show and follows their links',
    async (javascriptEnabled) => {
      const siteId = await service.createSite(site.origin, { javascriptEnabled });
      const jobId = await service.startCrawl(siteId);
      expect(await service.ended(jobId)).toMatchObject({ status: 'completed', endReason: 'done' });
      expect(await outcomes(jobId)).toEqual({
        '/': 'indexed',
        '/products/lantern': 'indexed',
        '/products/spade': 'indexed',
      });
      const { body } = await service.visit(`/public/sites/${siteId}/search?q=handle+clay`);
      expect(listOf(body.results)[0]).toMatchObject({ url: `${site.origin}/products/spade`, title: 'A spade of ash' });
    },
    60_000,
  );

  it('a service without a browser reads the pages as they are sent', async () => {
    const siteId = await service.createSite(site.origin);
    const jobId = await service.startCrawl(siteId);
    await service.ended(jobId);
    expect(Object.keys(await outcomes(jobId))).toEqual(['/']);
  });
});
