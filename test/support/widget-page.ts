import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { AxeResults } from 'axe-core';
import type { Browser, ConsoleMessage, HTTPRequest, Page } from 'puppeteer-core';
import { openBrowser } from '../browser/browser.ts';
import { GUIDE_PAGES } from './guide-pages.ts';
import { LocalService } from './local-service.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type Screen = {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  /** The value of Content-Security-Policy. */
  readonly csp?: string;
};
/** A page in the browser, with what its console said and what it asked for. */
export type WidgetPage = Page & { readonly said: readonly string[]; readonly requests: readonly HTTPRequest[] };

/** A website of somebody else with the widgets of a service, in a real browser. */
export class WidgetSite {
  readonly service: LocalService;
  readonly siteId: string;
  readonly #browser: Browser;
  readonly #server: Server;
  #html = '';
  #csp = '';

  private constructor(service: LocalService, siteId: string, browser: Browser, server: Server) {
    this.service = service;
    this.siteId = siteId;
    this.#browser = browser;
    this.#server = server;
    server.on('request', (_, response) => {
      const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': this.#csp };
      response.writeHead(200, headers).end(this.#html);
    });
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<WidgetSite> {
    const [service, browser] = await Promise.all([LocalService.start({ env }), openBrowser()]);
    const siteId = await service.createSite('https://www.example/');
    await service.api('POST', `/sites/${siteId}/pages`, { pages: GUIDE_PAGES });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new WidgetSite(service, siteId, browser, server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** The address of the service. */
  get root(): string {
    return this.service.ready.dashboardUrl;
  }

  /** Opens the HTML as a page of the website. */
  async open(html: string, screen: Screen = {}): Promise<WidgetPage> {
    const { width = 1000, height = 760, scheme = 'light', csp = '' } = screen;
    this.#html = html;
    this.#csp = csp;
    const page = await this.#browser.newPage();
    const said: string[] = [];
    const requests: HTTPRequest[] = [];
    page.on('console', (message: ConsoleMessage) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(`throws ${error}`));
    page.on('request', (request) => requests.push(request));
    await page.setViewport({ width, height, isMobile: width < 600, hasTouch: width < 600 });
    await page.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: scheme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ]);
    await page.goto(this.url, { waitUntil: 'networkidle0' });
    return Object.assign(page, { said, requests });
  }

  async end(): Promise<void> {
    await this.#browser.close();
    this.#server.closeAllConnections();
    this.#server.close();
    await this.service.end();
  }
}

/** What axe finds in the page as it is now, and in its shadow trees. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
