import type { PageRenderer, RenderFailure, RenderRequest, RenderResult } from '../../domain/ports/page-renderer.ts';
import { allowedHosts } from '../../text/web/allowed-hosts.ts';
import { guardedConnector, type Resolve } from '../fetcher/guarded-connector.ts';
import type { Browser, BrowserOptions } from './browser.ts';
import { type GuardedProxy, startGuardedProxy } from './guarded-proxy.ts';
import { renderPage } from './render-page.ts';
import { sweepScratch } from './scratch-folder.ts';
import { Slots } from './slots.ts';

const PAGES_AT_ONCE = 4;
const PAGE_TIMEOUT_MS = 15_000;
/** The time for opening and closing, in addition to the page's own. A browser that takes longer hangs. */
const MAX_OPEN_AND_CLOSE_MS = 10_000;
const MEGABYTES_OF_PAGE = 512;
const CONNECT_TIMEOUT_MS = 10_000;

export type RendererOptions = {
  /** Each `host` or `host:port` may be reached although its address is private. */
  readonly allowHosts: readonly string[];
  readonly contact: string | undefined;
  /** The value of `CHROMIUM_PATH`. @default the browser of the package, or an installed one */
  readonly path?: string | undefined;
  /** Whether this is a Lambda function, which has /tmp to itself. @default false */
  readonly isFunction?: boolean;
  /** The value of `CHROMIUM_SANDBOX`. @default auto */
  readonly sandbox?: BrowserOptions['sandbox'];
  /** @default the resolver of this machine */
  readonly resolve?: Resolve;
  /** The limit of time for a page, in milliseconds. @default 15 seconds */
  readonly pageTimeoutMs?: number;
};

const NO_SANDBOX =
  'javascriptEnabled: the browser runs without its sandbox, so a hostile page that breaks out of it has the rights of the service. See docs/security.md';

type Running = { readonly proxy: GuardedProxy; readonly browser: Browser };

/** Renders pages with Chromium. The browser starts with the first page, and again if it has ended. */
class ChromiumRenderer implements PageRenderer {
  readonly #options: RendererOptions;
  readonly #slots = new Slots(PAGES_AT_ONCE);
  #isClosed = false;
  warning: string | undefined;
  #running: Promise<Running> | undefined;

  constructor(options: RendererOptions) {
    this.#options = options;
  }

  /**
   * Renders a page. If the browser or the page's process ends, it tries the page once more, alone: another page may
   * have shared the process. If that fails too, the page is the cause.
   */
  async render(request: RenderRequest): Promise<RenderResult> {
    const first = await this.#slots.run(() => this.#attempt(request));
    if (first !== 'browser_ended' && !hasCrashed(first)) return first;
    const second = await this.#slots.run(() => this.#attempt(request), { alone: true });
    return second === 'browser_ended' ? failure('crashed', 'the page ends the browser') : second;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const running = await this.#running?.catch(() => undefined);
    await Promise.all([running?.browser.close(), running?.proxy.close()]);
  }

  async #attempt(request: RenderRequest): Promise<RenderResult | 'browser_ended'> {
    if (this.#isClosed) return ABORTED;
    let running: Running;
    try {
      this.#running ??= this.#start();
      running = await this.#running;
    } catch (error) {
      return failure('no_browser', (error as Error).message);
    }
    const { browser } = running;
    const { pageTimeoutMs = PAGE_TIMEOUT_MS } = this.#options;
    const rendered = renderPage(browser.connection, request, pageTimeoutMs).catch(() => 'browser_ended' as const);
    const hung = Promise.withResolvers<'stuck'>();
    const timer = setTimeout(() => hung.resolve('stuck'), pageTimeoutMs + MAX_OPEN_AND_CLOSE_MS);
    const result = await Promise.race([rendered, browser.ended, hung.promise]);
    clearTimeout(timer);
    if (this.#isClosed) return ABORTED;
    if (result === 'stuck') {
      await browser.close();
      return failure('timeout', 'the browser has not answered');
    }
    return typeof result === 'object' && browser.connection.connected ? result : 'browser_ended';
  }

  async #start(): Promise<Running> {
    const { allowHosts, contact, path, isFunction = false, sandbox = 'auto', resolve } = this.#options;
    await sweepScratch({ isFunction });
    const { startBrowser } = await import('./browser.ts'); // Puppeteer is large
    const proxy = await startGuardedProxy(guardedConnector(allowedHosts(allowHosts), CONNECT_TIMEOUT_MS, resolve));
    try {
      const options = { proxyPort: proxy.port, contact, path, isFunction, sandbox };
      const browser = await startBrowser({ ...options, megabytesOfPage: MEGABYTES_OF_PAGE });
      if (!browser.hasSandbox) this.warning = NO_SANDBOX;
      void browser.ended.then(() => this.#stopped(proxy, browser));
      return { proxy, browser };
    } catch (error) {
      await proxy.close();
      throw error;
    }
  }

  /** Forgets a browser that has ended. The next page starts another one. */
  #stopped(proxy: GuardedProxy, browser: Browser): void {
    if (this.#isClosed) return;
    this.#running = undefined;
    void Promise.all([proxy.close(), browser.close()]);
  }
}

const failure = (reason: RenderFailure, detail: string): RenderResult => ({ kind: 'failure', reason, detail });
const hasCrashed = (result: RenderResult): boolean => result.kind === 'failure' && result.reason === 'crashed';
const ABORTED = failure('aborted', 'the renderer was closed');

export const chromiumRenderer = (options: RendererOptions): PageRenderer => new ChromiumRenderer(options);
