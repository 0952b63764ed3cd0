import type { Browser, Page } from 'puppeteer-core';
import { openBrowser } from '../../browser/browser.ts';
import { LocalService } from '../../support/local-service.ts';

export type Look = { readonly width?: number; readonly scheme?: 'light' | 'dark'; readonly language?: 'en' | 'de' };

/** A service, and a browser in which its owner is signed in to the dashboard. */
export class Owner {
  readonly service: LocalService;
  readonly #browser: Browser;
  /** Errors of scripts, and what the content security policy has refused. */
  readonly faults: string[] = [];

  private constructor(service: LocalService, browser: Browser) {
    this.service = service;
    this.#browser = browser;
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<Owner> {
    return new Owner(await LocalService.start({ env }), await openBrowser());
  }

  async end(): Promise<void> {
    await this.#browser.close();
    await this.service.end();
  }

  /** Opens a screen in a tab of its own, signed in with a key: by default the owner's. */
  async open(path: string, look: Look = {}, key = this.service.ready.apiKey): Promise<Page> {
    const { width = 1280, scheme = 'light', language = 'en' } = look;
    const page = await this.#browser.newPage();
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy|Warning:/.test(message.text())) this.faults.push(message.text());
    });
    await page.setViewport({ width, height: 900, isMobile: width < 600, hasTouch: width < 600 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.evaluateOnNewDocument(
      (apiKey, chosen) => {
        sessionStorage.setItem('site-search.key', apiKey);
        localStorage.setItem('site-search.language', chosen);
      },
      key,
      language,
    );
    const { origin } = new URL(this.service.ready.baseUrl);
    await page.goto(`${origin}/app${path}`, { waitUntil: 'networkidle0' });
    return page;
  }

  /** Creates a key of a role. */
  async key(role: string): Promise<string> {
    return String((await this.service.api('POST', '/keys', { name: role, role })).body.apiKey);
  }

  /** Creates a site with pages that are ingested. */
  async site(name: string, pages: readonly object[] = []): Promise<string> {
    const { body } = await this.service.api('POST', '/sites', { name, baseUrl: 'https://www.example/' });
    const siteId = String(body.siteId);
    if (pages.length > 0) await this.service.api('POST', `/sites/${siteId}/pages?wait=true`, { pages });
    return siteId;
  }
}

/** A control by its role and its name, as a screen reader finds it. */
export const control = (page: Page, role: string, name: string) =>
  page.locator(`::-p-aria([role="${role}"][name="${name}"])`);

/** Presses a button that no dialog covers while it opens or closes. */
export async function press(page: Page, name: string): Promise<void> {
  const button = control(page, 'button', name);
  await button.wait();
  await page.waitForFunction("!document.querySelector('[data-starting-style], [data-ending-style]')");
  await button.click();
}

/** Replaces what a field holds, by keys. */
export async function type(page: Page, label: string, text: string): Promise<void> {
  await control(page, 'textbox', label).click({ count: 3 });
  await page.keyboard.press('Backspace');
  await page.keyboard.type(text);
}

/** Waits for a text anywhere in the page. */
export const sees = (page: Page, text: string) =>
  page.waitForFunction(`document.body.textContent.includes(${JSON.stringify(text)})`, { timeout: 30_000 });

/** The cells of the table with a caption, row by row, whether it is shown or behind a disclosure. */
export const tableOf = (page: Page, caption: string): Promise<readonly (readonly string[])[]> =>
  page.$$eval(
    'table',
    (tables, wanted) => {
      const table = tables.find((one) => one.caption?.textContent === wanted);
      return [...(table?.rows ?? [])].map((row) => [...row.cells].map((cell) => cell.textContent.trim()));
    },
    caption,
  );
