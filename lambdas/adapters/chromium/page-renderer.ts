import type { PageRenderer, RenderRequest, RenderResult } from '../../core/ports/page-renderer.ts';
import { allowedHosts } from '../../core/web/allowed-hosts.ts';
import { guardedConnector, type Resolve } from '../guarded-connector.ts';
import type { Browser } from './browser.ts';
import { type GuardedProxy, startGuardedProxy } from './guarded-proxy.ts';
import { renderPage } from './render-page.ts';
import { sweepScratch } from './scratch-folder.ts';
import { Slots } from './slots.ts';

const PAGES_AT_ONCE = 4;
const PAGE_TIMEOUT_MS = 15_000;
const MEGABYTES_OF_PAGE = 512;
const CONNECT_TIMEOUT_MS = 10_000;

export type RendererOptions = {
  /** Each `host` or `host:port` may be reached although its address is private. */
  readonly allowHosts: readonly string[];
  readonly contact: string | undefined;
  /** `CHROMIUM_PATH`. @default the browser of the package, or one of the system */
  readonly path?: string | undefined;
  /** Whether this is a Lambda function, which has /tmp for itself. @default false */
  readonly isFunction?: boolean;
  /** @default the resolver of this machine */
  readonly resolve?: Resolve;
};

type Running = { readonly proxy: GuardedProxy; readonly browser: Browser };

/** `PageRenderer` on Chromium: one browser, which starts with the first page and again if it has ended. */
class ChromiumRenderer implements PageRenderer {
  readonly #options: RendererOptions;
  readonly #slots = new Slots(PAGES_AT_ONCE);
  readonly #closed = Promise.withResolvers<'closed'>();
  #isClosed = false;
  #running: Promise<Running> | undefined;

  constructor(options: RendererOptions) {
    this.#options = options;
  }

  /** A page during which the browser ended is tried once more, alone: only if it ends again, the page is the cause. */
  async render(request: RenderRequest): Promise<RenderResult> {
    const first = await this.#slots.run(() => this.#attempt(request));
    if (first !== 'browser_ended') return first;
    const second = await this.#slots.run(() => this.#attempt(request), { alone: true });
    return second === 'browser_ended' ? failure('crashed', 'the page ends the browser') : second;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closed.resolve('closed');
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
    const { connection, ended } = running.browser;
    const timeout = Promise.withResolvers<'timeout'>();
    const timer = setTimeout(() => timeout.resolve('timeout'), PAGE_TIMEOUT_MS);
    const rendered = renderPage(connection, request).catch((error: unknown) => crashOf(error));
    const browserEnded = ended.then(() => 'browser_ended' as const);
    const result = await Promise.race([rendered, timeout.promise, browserEnded, this.#closed.promise]);
    clearTimeout(timer);
    if (this.#isClosed) return ABORTED;
    if (result === 'timeout') return failure('timeout', `the page has not ended within ${PAGE_TIMEOUT_MS} ms`);
    return connection.connected ? (result as RenderResult) : 'browser_ended';
  }

  async #start(): Promise<Running> {
    const { allowHosts, contact, path, isFunction = false, resolve } = this.#options;
    await sweepScratch({ isFunction });
    const { startBrowser } = await import('./browser.ts'); // Puppeteer is large
    const proxy = await startGuardedProxy(guardedConnector(allowedHosts(allowHosts), CONNECT_TIMEOUT_MS, resolve));
    try {
      const options = { proxyPort: proxy.port, contact, path, megabytesOfPage: MEGABYTES_OF_PAGE };
      const browser = await startBrowser(options);
      void browser.ended.then(() => this.#stopped(proxy, browser));
      return { proxy, browser };
    } catch (error) {
      await proxy.close();
      throw error;
    }
  }

  /** The next page starts another browser. */
  #stopped(proxy: GuardedProxy, browser: Browser): void {
    if (this.#isClosed) return;
    this.#running = undefined;
    void Promise.all([proxy.close(), browser.close()]);
  }
}

const failure = (reason: 'timeout' | 'crashed' | 'no_browser' | 'aborted', detail: string): RenderResult => ({
  ...{ kind: 'failure', reason, detail },
});
const ABORTED = failure('aborted', 'the renderer was closed');
const crashOf = (error: unknown): RenderResult => failure('crashed', String(error));

export const chromiumRenderer = (options: RendererOptions): PageRenderer => new ChromiumRenderer(options);
