import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import { listOf } from '../../support/answer.ts';
import { htmlPage, type WebSite, webSite } from '../../support/web-site.ts';
import { control, Owner, press, sees, tableOf } from './owner.ts';

const PAGES = 60;
const PAGE_MS = 150;
const LOOKS = [
  { width: 1280, scheme: 'light', language: 'en' },
  { width: 360, scheme: 'dark', language: 'de' },
] as const;

/** A site of which half of the pages can go. Each page takes a while, so that a crawl can be watched. */
async function harbour(): Promise<WebSite> {
  const paths = Array.from({ length: PAGES }, (_, index) => `/notice/${index}`);
  const slowly = (path: string) => (_: unknown, response: ServerResponse) => {
    response.setHeader('Content-Type', 'text/html');
    setTimeout(() => response.end(htmlPage(`Notice ${path}`, `The harbour says ${path}.`)), PAGE_MS);
  };
  const pages = Object.fromEntries(paths.map((path) => [path, slowly(path)]));
  return webSite({ ...pages, '/': htmlPage('Harbour', 'All notices.', [...paths, '/missing']) });
}

describe('crawls in the dashboard', () => {
  let owner: Owner;
  let web: WebSite;
  let siteId: string;
  let ids: Readonly<Record<string, string>>;

  beforeAll(async () => {
    web = await harbour();
    owner = await Owner.start({ CRAWL_ALLOW_HOSTS: '127.0.0.1' });
    siteId = await owner.service.createSite(web.origin);
  });
  afterAll(async () => {
    await owner.end();
    await web.close();
  });

  it('a crawl is started, watched and cancelled', async () => {
    const page = await owner.open(`/sites/${siteId}/crawl`);
    await sees(page, 'This site has not been crawled yet.');
    await press(page, 'Start a crawl');
    await press(page, 'Start crawl');
    await sees(page, 'URLs found so far');
    await press(page, 'Cancel');
    await sees(page, 'keep their outcome');
    await press(page, 'Cancel crawl');
    await sees(page, 'Cancelled');
    const jobId = page.url().split('/').at(-1);
    expect((await owner.service.api('GET', `/jobs/${jobId}`)).body).toMatchObject({ status: 'cancelled' });
  });

  it('the URLs of a crawl are filtered by the address', async () => {
    const jobId = await owner.service.startCrawl(siteId);
    await owner.service.ended(jobId);
    const page = await owner.open(`/sites/${siteId}/crawl/${jobId}?outcome=gone`);
    await sees(page, `${web.origin}/missing`);
    expect(await tableOf(page, 'URLs of this crawl')).toHaveLength(2);
    await press(page, 'Clear the filter');
    await page.waitForFunction("location.search === ''");
    await control(page, 'searchbox', 'URL contains').fill('/NOTICE/4');
    await press(page, 'Filter');
    await sees(page, 'URLs were searched.');
    expect(new URL(page.url()).search).toBe('?q=%2FNOTICE%2F4');
    expect(await tableOf(page, 'URLs of this crawl')).toHaveLength(1 + 11);
    await page.goBack();
    await page.waitForFunction("location.search === ''");
  });

  it('a URL is traced, ranked for a query, and fetched now', async () => {
    const page = await owner.open(`/sites/${siteId}/url`);
    await control(page, 'textbox', 'URL, or a path of the site').fill('/notice/7');
    await control(page, 'textbox', 'Query').fill('notice 7');
    await press(page, 'Look it up');
    await sees(page, 'The page is indexed.');
    const factors = await tableOf(page, 'Factors of the score');
    expect(factors.map(([name]) => name)).toEqual(
      expect.arrayContaining(['meaning', 'words', 'title', 'boost', 'confidence']),
    );
    await press(page, 'Fetch it now');
    await sees(page, 'A crawl may index it');
    expect(new URL(page.url()).searchParams.get('view')).toBe('test');
  });

  it('a review says what would go, and is approved', async () => {
    for (let index = 0; index < PAGES; index += 2) web.pages.delete(`/notice/${index}`);
    const jobId = await owner.service.startCrawl(siteId);
    const job = await owner.service.ended(jobId);
    ids = { SITE: siteId, JOB: jobId, REVIEW: String(job.reviewId) };
    web.pages.set('/notice/0', htmlPage('Notice 0', 'It is back.'));
    const page = await owner.open(`/sites/${siteId}/crawl/${jobId}`);
    await control(page, 'link', 'Open the review').click();
    await sees(page, 'Remove 30 pages?');
    expect(await tableOf(page, 'What would go')).toHaveLength(1 + 30);
    await press(page, 'Approve');
    await sees(page, 'Up to 30 pages will be deleted');
    await page.locator('[role="dialog"] ::-p-aria([role="button"][name="Approve"])').click();
    await sees(page, '29 deleted, 1 kept');
    const { body } = await owner.service.api('GET', `/sites/${siteId}/reviews`);
    expect(listOf(body.reviews)[0]).toMatchObject({ status: 'approved' });
  });

  it('a key without the role says so, and cannot approve', async () => {
    const { apiKey } = (await owner.service.api('POST', '/keys', { name: 'reader', role: 'member' })).body;
    const review = { ...(await reviewOf()), status: 'pending' };
    const page = await owner.open('/', {}, String(apiKey));
    await page.setRequestInterception(true);
    page.on('request', (request) =>
      request.url().includes('/reviews/') && request.url().includes('/api/')
        ? void request.respond({ contentType: 'application/json', body: JSON.stringify(review) })
        : void request.continue(),
    );
    await page.goto(`${owner.service.ready.dashboardUrl}app/sites/${siteId}/reviews/${ids.REVIEW}`);
    await sees(page, 'This needs a key with the role admin; this key has the role member.');
    const states = await page.$$eval('button', (buttons) =>
      buttons.filter(({ textContent }) => /Approve|Reject/.test(textContent)).map((one) => one.ariaDisabled),
    );
    expect(states).toEqual(['true', 'true']);
    await page.close();
  });
  const reviewOf = async () => (await owner.service.api('GET', `/sites/${siteId}/reviews/${ids.REVIEW}`)).body;

  it('a refused call waits as long as the service says', async () => {
    const page = await owner.open('/sites');
    await page.setRequestInterception(true);
    let refused = 0;
    page.on('request', (request) => {
      if (!request.url().endsWith('/api/groups') || refused > 0) return void request.continue();
      refused++;
      const body = JSON.stringify({ error: 'Too many requests', code: 'rate_limited', retryAfter: 2 });
      void request.respond({ status: 429, contentType: 'application/json', headers: { 'Retry-After': '2' }, body });
    });
    const from = performance.now();
    await control(page, 'link', 'Groups').click();
    await sees(page, 'Too many calls in a short time.');
    await page.waitForFunction("!document.body.textContent.includes('Too many calls')", { timeout: 10_000 });
    expect(performance.now() - from).toBeGreaterThan(1500);
    await page.close();
  });

  const SCREENS = [
    '/sites',
    '/sites/new',
    '/sites/new?site=SITE&look=JOB',
    '/sites/new?site=SITE&crawl=JOB',
    '/sites/new?site=SITE&crawl=JOB&step=search&q=notice',
    '/sites/new?site=SITE&crawl=JOB&step=embed',
    '/sites/SITE/crawl',
    '/sites/SITE/crawl/JOB?outcome=gone',
    '/sites/SITE/url?url=/notice/7&q=notice',
    '/sites/SITE/reviews',
    '/sites/SITE/reviews/REVIEW',
    '/nowhere',
  ];

  it.each(SCREENS.flatMap((screen) => LOOKS.map((look) => ({ screen, ...look }))))(
    'axe finds nothing at $screen, $width px wide, $scheme, $language, and nothing is cut off',
    async ({ screen, ...look }) => {
      const path = screen.replaceAll(/SITE|JOB|REVIEW/g, (name) => ids[name] ?? '');
      const page = await owner.open(path, look);
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`,
      );
      expect(found).toEqual([]);
      expect(await page.$eval('html', (html) => html.scrollWidth)).toBeLessThanOrEqual(look.width);
      await page.close();
    },
  );

  it('throws nothing, and breaks no rule of the content security policy', () => {
    expect(owner.faults).toEqual([]);
  });
});
