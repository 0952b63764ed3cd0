import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { NO_FIELDS } from '../../../../lambdas/core/content/fields/field-source.ts';
import { redirection } from '../../../../lambdas/core/crawl/fetch/visit-result.ts';
import { urlFilter } from '../../../../lambdas/core/crawl/frontier/url-filter.ts';
import { NEW_CRAWLER_CONFIG } from '../../../../lambdas/core/sites/site-settings.ts';
import { urlHash } from '../../../../lambdas/core/web/url.ts';
import { crawlHere, newSite } from '../../../support/crawl-here.ts';
import { openLocalStore } from '../../../support/local-store.ts';
import { htmlPage, type SitePage, type WebSite, webSite } from '../../../support/web-site.ts';
import { movedTo } from '../../../support/word-site.ts';

const urlset = (urls: readonly string[]): string =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

describe('a site that has moved', () => {
  let close: () => Promise<void>;
  const sites: WebSite[] = [];

  beforeAll(async () => {
    close = await openLocalStore();
  });
  afterEach(async () => {
    await Promise.all(sites.splice(0).map((site) => site.close()));
  });
  afterAll(() => close());

  const serve = async (pages: Readonly<Record<string, SitePage>>): Promise<WebSite> => {
    const site = await webSite(pages);
    sites.push(site);
    return site;
  };
  const now = () =>
    serve({ '/': htmlPage('Home', 'Here it is now.'), '/lone': htmlPage('Lone', 'No link leads here.') });

  it('has the pages of the sitemap at its new origin', async () => {
    const there = await now();
    there.pages.set('/robots.txt', `Sitemap: ${there.origin}/map.xml`);
    there.pages.set('/map.xml', urlset([`${there.origin}/lone`]));
    const here = await serve({
      '/': movedTo(`${there.origin}/`),
      '/robots.txt': movedTo(`${there.origin}/robots.txt`),
    });
    const { ends } = await crawlHere(await newSite(here.origin));
    expect(ends).toMatchObject({ [`${there.origin}/`]: 'indexed 200', [`${there.origin}/lone`]: 'indexed 200' });
  });

  it('has pages that were found to have moved before the start page was fetched', async () => {
    const there = await now();
    const here = await serve({
      '/sitemap.xml': '<urlset><url><loc>/lone</loc></url></urlset>',
      '/lone': movedTo(`${there.origin}/lone`),
      '/': async (_, response) => {
        await delay(1300); // a finished page waits for at most a second to be committed
        response.writeHead(301, { Location: `${there.origin}/` }).end();
      },
    });
    const { ends, job } = await crawlHere(await newSite(here.origin));
    expect(ends).toMatchObject({ [`${there.origin}/`]: 'indexed 200', [`${there.origin}/lone`]: 'indexed 200' });
    expect(job).toMatchObject({ status: 'completed', indexed: 2, skipped: 2, discovered: 4 });
  });

  it.each([
    ['https://www.site.example/page', 'https://site.example/'],
    ['https://shop.site.example/page', undefined],
    ['https://www.site.example/other', undefined],
  ])('is recognised by a listed URL that redirects to %s: %s', (target, expected) => {
    const config = { ...NEW_CRAWLER_CONFIG };
    const filter = urlFilter({ baseUrl: 'http://site.example/', config });
    const url = 'http://site.example/page';
    const { movedTo: found } = redirection(
      target,
      { url, urlHash: urlHash(url), depth: 0 },
      { filter, robots: undefined, fields: NO_FIELDS, selection: {}, isListed: () => true },
      301,
    );
    expect(found).toBe(expected?.replace('site.example', 'www.site.example'));
  });
});
