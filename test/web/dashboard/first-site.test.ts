import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { htmlPage, type WebSite, webSite } from '../../support/web-site.ts';
import { control, Owner, press, sees } from './owner.ts';

describe('the first site in the dashboard', () => {
  let owner: Owner;
  let web: WebSite;
  beforeAll(async () => {
    web = await webSite({
      '/': htmlPage('Harbour', 'Boats may moor in the harbour of Elm Bay.', ['/fees', '/missing']),
      '/fees': htmlPage('Mooring fees', 'A berth costs 12 euros a night.'),
    });
    owner = await Owner.start({ CRAWL_ALLOW_HOSTS: '127.0.0.1' });
  });
  afterAll(async () => {
    await owner.end();
    await web.close();
  });

  const clickLink = (page: Page, name: string) => control(page, 'link', name).click();

  it('goes from an address to the line to embed in five clicks', async () => {
    const page = await owner.open('/');
    await control(page, 'textbox', 'Address of your website').fill(web.host);
    await press(page, 'Look at the website');
    await sees(page, 'The page does not exist (404)');
    expect((await owner.service.api('GET', '/sites')).body.sites).toMatchObject([{ pageCount: 0 }]);
    await press(page, 'Start the crawl');
    await sees(page, '2 pages can be found.');
    await clickLink(page, 'Try a search');
    await control(page, 'searchbox', 'Search your website').fill('what does a berth cost');
    await page.keyboard.press('Enter');
    await sees(page, 'A berth costs 12 euros a night.');
    await clickLink(page, 'Put it on your website');
    expect(await page.$$eval('main input', (inputs) => inputs.map(({ value }) => value))).toEqual(['127.0.0.1']);
    await press(page, 'Switch on public search');
    await sees(page, '<site-search-button site="');
    const { body } = await owner.service.api('GET', `/sites/${new URL(page.url()).searchParams.get('site')}`);
    expect(body).toMatchObject({ publicAccess: { enabled: true, allowedDomains: ['127.0.0.1'] } });
    expect(await page.$eval('main pre', ({ textContent }) => textContent)).toContain(
      `<script async src="${new URL(owner.service.ready.dashboardUrl).origin}/v1/site-search.js">`,
    );
  });

  it('says why a website cannot be read, and takes another address', async () => {
    const closed = await webSite({});
    await closed.close();
    const page = await owner.open('/sites/new');
    await control(page, 'textbox', 'Address of your website').fill('no website');
    await press(page, 'Look at the website');
    await sees(page, 'Enter a web address');
    await control(page, 'textbox', 'Address of your website').fill(closed.host);
    await press(page, 'Look at the website');
    await sees(page, 'The website could not be read');
    const siteId = new URL(page.url()).searchParams.get('site');
    await clickLink(page, 'Another address');
    await control(page, 'textbox', 'Address of your website').fill(`${web.host}/fees`);
    await press(page, 'Look at the website');
    await sees(page, 'Pages to index');
    expect(new URL(page.url()).searchParams.get('site')).toBe(siteId);
    expect((await owner.service.api('GET', `/sites/${siteId}`)).body).toMatchObject({ baseUrl: `${web.origin}/fees` });
  });

  it('throws nothing, and breaks no rule of the content security policy', () => {
    expect(owner.faults).toEqual([]);
  });
});
