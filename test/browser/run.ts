import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser } from 'puppeteer-core';
import { LocalService } from '../support/local-service.ts';
import { openBrowser, openPage, type Screen } from './browser.ts';

/*
 * npm run test:browser: looks at the pages of the service in a real browser, on screens of several sizes. Fails if axe
 * finds a fault of accessibility, if a page is wider than its screen, or if a script of it throws; or if a search for
 * words as typed is lost by a reload or by Back.
 */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const HIDDEN_WIDTH = 'Math.max(0, document.documentElement.scrollWidth - innerWidth)';
const PATHS = ['', '?q=crawl', '?q=how+does+a+crawl+survive+a+crash', 'docs', 'demo/', 'demo/guide/crawl-settings'];
const SCREENS: readonly Screen[] = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'dark' },
  { width: 320, scheme: 'light' },
];
const WAIT = { timeout: 20_000 };
const RECORD_BLOCKED =
  "var blocked = []; addEventListener('securitypolicyviolation', (event) => blocked.push(event.effectiveDirective))";

/** Chromium itself crashes now and then on a busy machine. A page on which it does so twice fails. */
async function faultsOf(url: string, screen: Screen): Promise<readonly string[]> {
  try {
    return await faultsIn(browser, url, screen);
  } catch (error) {
    console.log(`The browser was lost, and is started again: ${error}`);
    await browser.close().catch(() => undefined);
    browser = await openBrowser();
    return faultsIn(browser, url, screen);
  }
}

async function faultsIn(browser: Browser, url: string, screen: Screen): Promise<readonly string[]> {
  const faults: string[] = [];
  const page = await openPage(browser, url, screen, (thrown) => faults.push(`throws ${thrown}`));
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  faults.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)));
  const hidden = Number(await page.evaluate(HIDDEN_WIDTH));
  if (hidden > 0) faults.push(`is ${hidden} pixels wider than the screen`);
  await page.close();
  return [...new Set(faults)];
}

const SHADOW = "document.querySelector('site-search-page').shadowRoot";
const IS_CORRECTED = `${SHADOW}.querySelector('.notice .plain') !== null`;
const IS_AS_TYPED = `location.search.includes('exact=1') && !(${IS_CORRECTED}) && ${SHADOW}.querySelector('[part=body]').innerText !== ''`;

/** Follows "Search for … instead", reloads, and goes back. */
async function faultsOfTypedWords(url: string): Promise<readonly string[]> {
  const page = await openPage(browser, `${url}?q=crwal`, { width: 1280, scheme: 'light' });
  try {
    await page.waitForFunction(IS_CORRECTED, WAIT);
    await page.click('>>> .notice .plain');
    await page.waitForFunction(IS_AS_TYPED, WAIT);
    await page.reload({ waitUntil: 'networkidle0' });
    await page.waitForFunction(IS_AS_TYPED, WAIT);
    await page.goBack();
    await page.waitForFunction(IS_CORRECTED, WAIT);
    return [];
  } catch (error) {
    return [`${page.url()}: ${error}`];
  } finally {
    await page.close();
  }
}

type ApiWords = {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly description: string }[];
};

/**
 * Finds out whether the API reference shows the limits in numbers and what each group of operations is for, and breaks
 * no rule of its content security policy.
 */
async function faultsOfReference(url: string): Promise<readonly string[]> {
  const { info, tags } = (await (await fetch(`${url}/openapi.json`)).json()) as ApiWords;
  const page = await browser.newPage();
  try {
    await page.evaluateOnNewDocument(RECORD_BLOCKED);
    await page.goto(url, { waitUntil: 'networkidle0' });
    await page.waitForSelector('section.operation', WAIT);
    const blocked = (await page.evaluate('blocked')) as readonly string[];
    const shown = String(await page.evaluate("document.getElementById('page').textContent"));
    const words = [info, ...tags].map(({ description }) => description.replaceAll('`', ''));
    return [
      ...blocked.map((directive) => `blocked by ${directive}`),
      ...words.filter((description) => !shown.includes(description)).map((description) => `lacks ${description}`),
    ];
  } finally {
    await page.close();
  }
}

const service = await LocalService.start({ options: [] });
let browser = await openBrowser();
try {
  for (const path of PATHS) {
    for (const screen of SCREENS) {
      const faults = await faultsOf(service.ready.dashboardUrl + path, screen);
      if (faults.length > 0) process.exitCode = 1;
      console.log(`/${path} ${screen.width} ${screen.scheme}: ${faults.length} faults`);
      for (const fault of faults) console.log(`  ${fault}`);
    }
  }
  const lost = await faultsOfTypedWords(service.ready.dashboardUrl);
  if (lost.length > 0) process.exitCode = 1;
  console.log(`words as typed: ${lost.length} faults`, ...lost);
  const unsaid = await faultsOfReference(`${service.ready.dashboardUrl}docs`);
  if (unsaid.length > 0) process.exitCode = 1;
  console.log(`API reference: ${unsaid.length} faults`, ...unsaid);
} finally {
  await browser.close();
  await service.end();
}
