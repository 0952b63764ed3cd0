import { describe, expect, it } from '@jest/globals';
import { redirection } from '../../../../lambdas/domain/crawl/fetch/read-page.ts';
import { urlFilter } from '../../../../lambdas/domain/crawl/frontier/url-filter.ts';
import type { Overrides } from '../../../../lambdas/domain/crawl/jobs/start-crawl.ts';
import { NEW_CRAWLER_CONFIG } from '../../../../lambdas/domain/sites/site-settings.ts';
import { urlHash } from '../../../../lambdas/text/web/url.ts';
import { crawlHere, newSite, time } from '../../../support/crawl-here.ts';
import { type MemoryPage, memorySite } from '../../../support/memory/web.ts';
import { htmlPage } from '../../../support/web-site.ts';
import { movedTo, wordSite, words } from '../../../support/word-site.ts';

const NO_FIELDS = { fields: [], version: undefined };

const HERE = 'http://site.test';
const THERE = 'http://www.site.test';

const urlset = (urls: readonly string[]): string =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

describe('a site that has moved', () => {
  const here = (pages: Readonly<Record<string, MemoryPage>>) => memorySite(pages, HERE);
  const there = (pages: Readonly<Record<string, MemoryPage>>) => memorySite(pages, THERE);
  const now = () =>
    there({ '/': htmlPage('Home', 'Here it is now.'), '/lone': htmlPage('Lone', 'No link leads here.') });
  const crawl = async (overrides: Overrides = {}) => crawlHere(await newSite(HERE), { overrides });

  it('the sitemap of a moved site gives pages at its new origin', async () => {
    const { pages } = now();
    pages.set('/robots.txt', `Sitemap: ${THERE}/map.xml`);
    pages.set('/map.xml', urlset([`${THERE}/lone`]));
    here({ '/': movedTo(`${THERE}/`), '/robots.txt': movedTo(`${THERE}/robots.txt`) });
    const { ends } = await crawl();
    expect(ends).toMatchObject({ [`${THERE}/`]: 'indexed 200', [`${THERE}/lone`]: 'indexed 200' });
  });

  it('pages of a moved site may be found before its start page is fetched', async () => {
    now();
    here({
      '/sitemap.xml': '<urlset><url><loc>/lone</loc></url></urlset>',
      '/lone': movedTo(`${THERE}/lone`),
      '/': async (_, response) => {
        await time.sleep(1300); // a finished page waits for at most a second to be committed
        response.writeHead(301, { Location: `${THERE}/` }).end();
      },
    });
    const { ends, job } = await crawl();
    expect(ends).toMatchObject({ [`${THERE}/`]: 'indexed 200', [`${THERE}/lone`]: 'indexed 200' });
    expect(job).toMatchObject({ status: 'completed', indexed: 2, skipped: 2, discovered: 4 });
  });

  it('a moved site is crawled with robots.txt and patterns of the new origin', async () => {
    there({ ...wordSite(), '/robots.txt': 'User-agent: *\nDisallow: /dune' });
    const old = here({ '/': movedTo(`${THERE}/`), '/robots.txt': 'User-agent: *\nDisallow: /basil' });
    const { ends, job } = await crawl({ excludePatterns: [`${HERE}/ember`] });
    expect(ends).toMatchObject({
      [`${HERE}/`]: 'skipped redirect 301',
      [`${THERE}/`]: 'indexed 200',
      [`${THERE}/basil`]: 'indexed 200',
      [`${THERE}/dune`]: 'skipped robots',
      [`${THERE}/ember`]: 'skipped excluded',
    });
    expect(job).toMatchObject({ status: 'completed', indexed: words.length - 1, baseUrl: `${THERE}/` });
    expect(old.requests).toEqual(['/robots.txt', '/sitemap.xml', '/']);
  });

  it('a moved site is recognised by listed URLs too', async () => {
    there(wordSite());
    here(Object.fromEntries(words.map((word) => [`/${word}`, movedTo(`${THERE}/${word}`)])));
    const { job } = await crawl({ singleUrls: ['/amber', '/basil', '/cobalt'] });
    expect(job).toMatchObject({ status: 'completed', discovered: 6, indexed: 3 });
  });

  it('a moved site fails if two origins redirect to each other', async () => {
    here({ '/': movedTo(`${THERE}/`) });
    there({ '/': movedTo(`${HERE}/`) });
    const { job } = await crawl();
    expect(job).toMatchObject({ status: 'failed', endReason: 'redirect_loop', discovered: 2 });
  });

  it.each([
    ['http://site.example/', 'https://site.example/', true],
    ['http://site.example/', 'https://www.site.example/start', true],
    ['https://www.site.example/', 'https://site.example/', true],
    ['https://www.site.example/', 'https://docs.site.example/', false],
    ['http://site.example:8080/', 'https://site.example/', false],
    ['http://site.example/', 'http://site.example:8080/', false],
    ['http://127.0.0.1:8000/', 'http://127.0.0.1:8001/', false],
    ['https://site.example/', 'https://other.example/', false],
  ])('is recognised if %s redirects to %s: %s', (baseUrl, target, isMove) => {
    const filter = urlFilter({ baseUrl, config: { ...NEW_CRAWLER_CONFIG } });
    const queued = { url: baseUrl, urlHash: urlHash(baseUrl), depth: 0, isStart: true };
    const { movedTo: found } = redirection(
      target,
      queued,
      { filter, robots: undefined, fields: NO_FIELDS, selection: {} },
      301,
    );
    expect(found).toBe(isMove ? target : undefined);
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
