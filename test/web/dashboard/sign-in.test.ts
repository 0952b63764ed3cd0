import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'puppeteer-core';
import { openBrowser } from '../../browser/browser.ts';
import { LocalService } from '../../support/local-service.ts';
import { control, press, sees, type } from './owner.ts';

const KEY_IN_TAB = "sessionStorage.getItem('site-search.key')";

describe('signing in to the dashboard', () => {
  let service: LocalService;
  let browser: Browser;
  beforeAll(async () => {
    service = await LocalService.start();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.end();
  });

  const open = async (url: string) => {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    await page.evaluateOnNewDocument("localStorage.setItem('site-search.language', 'en')");
    await page.goto(url, { waitUntil: 'networkidle0' });
    return page;
  };
  const app = (path = '') => `${service.ready.dashboardUrl}app${path}`;

  it('a link signs in once, and its token leaves the address', async () => {
    const page = await open(service.ready.signInUrl ?? '');
    await sees(page, 'Make your website searchable');
    expect(page.url()).toBe(app('/sites'));
    expect(await page.evaluate(KEY_IN_TAB)).toBe(service.ready.apiKey);
    expect(await page.evaluate('history.length')).toBeLessThanOrEqual(2);

    const second = await open(service.ready.signInUrl ?? '');
    await sees(second, 'This link no longer signs in.');
    await sees(second, 'npm run --silent admin -- link');
    expect(await second.evaluate(KEY_IN_TAB)).toBeNull();
    expect(second.url()).not.toContain('token');
  });

  it('a key signs in to the screen of the address, and signing out forgets it', async () => {
    const page = await open(app('/keys'));
    await control(page, 'textbox', 'API key').fill(service.ready.apiKey);
    await press(page, 'Sign in');
    await sees(page, 'Local');
    expect(page.url()).toBe(app('/keys'));
    await press(page, 'Sign out');
    await control(page, 'textbox', 'API key').wait();
    expect(await page.evaluate(KEY_IN_TAB)).toBeNull();
  });

  it('a wrong key is refused in the words of the service', async () => {
    const page = await open(app());
    await type(page, 'API key', 'ssk_wrong_key');
    await press(page, 'Sign in');
    await sees(page, 'The service refuses this key.');
    await sees(page, 'A valid API key is required.');
  });

  it('the command palette opens by its keys, and leads to a screen', async () => {
    const page = await open(app());
    await type(page, 'API key', service.ready.apiKey);
    await press(page, 'Sign in');
    await sees(page, 'Make your website searchable');
    await page.keyboard.down('Control');
    await page.keyboard.press('k');
    await page.keyboard.up('Control');
    await control(page, 'combobox', 'Find a site, a screen or a page of the guide').wait();
    await page.keyboard.type('organis');
    await sees(page, 'Organisation');
    await page.keyboard.press('Enter');
    await page.waitForFunction("location.pathname === '/app/organisation'");
  });

  it('a lost connection is said, and the screen recovers by itself', async () => {
    const siteId = await service.createSite('https://www.example/');
    const page = await open(app(`/sites/${siteId}/crawl`)); // it asks for the newest crawls every few seconds
    await type(page, 'API key', service.ready.apiKey);
    await press(page, 'Sign in');
    await sees(page, 'This site has not been crawled yet.');
    await page.setOfflineMode(true);
    await sees(page, 'The service does not answer.');
    await sees(page, 'This site has not been crawled yet.');
    await page.setOfflineMode(false);
    await sees(page, 'The connection is back.');
  });

  it('a screen that was asked for without a connection can be opened once it is back', async () => {
    const page = await open(app());
    await type(page, 'API key', service.ready.apiKey);
    await press(page, 'Sign in');
    await control(page, 'link', 'Organisation').wait();
    await page.setOfflineMode(true);
    await page.evaluate('document.querySelector(\'a[href="/app/organisation"]\').click()');
    await sees(page, 'The service does not answer.');
    await page.setOfflineMode(false);
    await page.waitForFunction("!document.body.textContent.includes('does not answer')", { timeout: 30_000 });
    await control(page, 'link', 'Organisation').click();
    await page.waitForFunction("document.querySelector('h1')?.textContent === 'Organisation'", { timeout: 30_000 });
  });
});
