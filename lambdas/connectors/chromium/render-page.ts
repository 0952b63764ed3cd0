import type { Browser, CDPSession, Protocol } from 'puppeteer-core';
import type { RenderRequest, RenderResult } from '../../domain/ports/page-renderer.ts';
import { decodeBody } from '../../text/web/charset.ts';
import { BEFORE_PAGE, FINGERPRINT, HTML } from './page-scripts.ts';
import { PageTooLargeError, PageTraffic } from './page-traffic.ts';

const STILL_MS = 500;
const LOOK_MS = 100;
/** The longest wait until a page stops changing. Then it is read as it is. */
const MAX_UNREST_MS = 8_000;
const CLOSE_TIMEOUT_MS = 3_000;
const MAX_CHARACTERS = 10 * 1024 * 1024;
/** Types that are never loaded. Documents are intercepted too: only the page itself is loaded. */
const UNWANTED = ['Image', 'Media', 'Font', 'Ping'] as const;
/** Headers that affect what a page shows. Others may not fit its decoded body, or turn it into a download. */
const PASSED_ON = new Set(['content-security-policy', 'content-language', 'referrer-policy', 'refresh']);
const HEADER_VALUE = /^[\x20-\x7e]+$/;
const XHTML = /^\s*application\/xhtml\+xml\b/i;

/**
 * Shows a page in its own browser context and reads it once it has stopped changing. Returns `stuck` if the page can be
 * neither read nor closed.
 */
export async function renderPage(
  browser: Browser,
  request: RenderRequest,
  timeoutMs: number,
): Promise<RenderResult | 'stuck'> {
  const context = await browser.createBrowserContext({ downloadBehavior: { policy: 'deny' } });
  const timeout = after(timeoutMs);
  const tab = await context.newPage();
  const { promise: crashed, reject } = Promise.withResolvers<never>();
  tab.once('error', reject);
  const shown = tab.createCDPSession().then((session) => show(session, request));
  const late = timeout.passed.then(() => failure('timeout', `the page has not ended within ${timeoutMs} ms`));
  const result = await Promise.race([shown, crashed, late]).catch(failureOf);
  timeout.stop();
  const limit = after(CLOSE_TIMEOUT_MS);
  const closed = context.close().then(
    () => true,
    () => true, // the context has ended with the browser
  );
  const isClosed = await Promise.race([closed, limit.passed.then(() => false)]);
  limit.stop();
  return isClosed ? result : 'stuck';
}

function after(ms: number): { readonly passed: Promise<void>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  return { passed: promise, stop: () => clearTimeout(timer) };
}

type Failure = RenderResult & { readonly kind: 'failure' };
const failure = (reason: Failure['reason'], detail: string): Failure => ({ kind: 'failure', reason, detail });
const failureOf = (error: unknown): Failure =>
  error instanceof PageTooLargeError ? failure('too_large', error.message) : failure('crashed', String(error));

type Page = { readonly frameId: string; redirect: string | undefined };

async function show(session: CDPSession, request: RenderRequest): Promise<RenderResult> {
  const traffic = new PageTraffic(session);
  return Promise.race([read(session, request, traffic), traffic.exceeded]);
}

async function read(session: CDPSession, request: RenderRequest, traffic: PageTraffic): Promise<RenderResult> {
  const page = await prepare(session, request);
  const { errorText } = await session.send('Page.navigate', { url: request.url });
  if (errorText !== undefined && page.redirect === undefined) throw new Error(errorText);
  const world = await session.send('Page.createIsolatedWorld', { frameId: page.frameId, worldName: 'reader' });
  const run = <T>(expression: string) => evaluate<T>(session, world.executionContextId, expression);
  await untilStill(page, traffic, () => run<number>(FINGERPRINT));
  if (page.redirect !== undefined) return { kind: 'redirect', url: page.redirect };
  const html = await run<string>(HTML);
  if (html.length > MAX_CHARACTERS) throw new PageTooLargeError(`the page has become ${html.length} characters long`);
  return { kind: 'page', url: await run<string>('location.href'), html };
}

/** Makes the tab load only this page, and stay on it. */
async function prepare(session: CDPSession, request: RenderRequest): Promise<Page> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const page: Page = { frameId: frameTree.frame.id, redirect: undefined };
  let isShown = false;
  session.on('Page.javascriptDialogOpening', () =>
    ignoreEnd(session.send('Page.handleJavaScriptDialog', { accept: false })),
  );
  session.on('Fetch.requestPaused', ({ requestId, resourceType, frameId, request: { url, method } }) => {
    const isDocument = resourceType === 'Document';
    const isPage = isDocument && frameId === page.frameId;
    if (isPage && !isShown) {
      isShown = true;
      return ignoreEnd(session.send('Fetch.fulfillRequest', answerOf(request, requestId)));
    }
    if (isPage && method === 'GET' && url !== request.url) page.redirect ??= url;
    // After an aborted navigation the page stays as it is. Any other failure shows an error page.
    ignoreEnd(
      session.send('Fetch.failRequest', { requestId, errorReason: isDocument ? 'Aborted' : 'BlockedByClient' }),
    );
  });
  const patterns = (['Document', ...UNWANTED] as const).map((resourceType) => ({ resourceType }));
  await Promise.all([
    session.send('Page.enable'),
    session.send('Network.enable'),
    session.send('Fetch.enable', { patterns }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: BEFORE_PAGE }),
  ]);
  return page;
}

/** Encodes the answer in UTF-8. Without a named encoding, the browser and the crawler would guess different ones. */
function answerOf({ headers, body }: RenderRequest, requestId: string): Protocol.Fetch.FulfillRequestRequest {
  const contentType = headers['content-type'];
  const mediaType = XHTML.test(contentType ?? '') ? 'application/xhtml+xml' : 'text/html';
  const kept = Object.entries(headers).filter(([name, value]) => PASSED_ON.has(name) && HEADER_VALUE.test(value));
  const passedOn = [...kept, ['content-type', `${mediaType}; charset=utf-8`] as const];
  return {
    requestId,
    responseCode: 200,
    responseHeaders: passedOn.map(([name, value]) => ({ name, value })),
    body: Buffer.from(decodeBody(body, contentType)).toString('base64'),
  };
}

/** Waits until the page has not changed for half a second and waits for no answer. */
async function untilStill(page: Page, traffic: PageTraffic, fingerprint: () => Promise<number>): Promise<void> {
  const end = performance.now() + MAX_UNREST_MS;
  let seen: number | undefined;
  let stillSince = performance.now();
  while (performance.now() < end && page.redirect === undefined) {
    const now = await fingerprint();
    if (now !== seen || traffic.isAwaited) stillSince = performance.now();
    seen = now;
    if (performance.now() - stillSince >= STILL_MS) return;
    await after(LOOK_MS).passed;
  }
}

async function evaluate<T>(session: CDPSession, contextId: number, expression: string): Promise<T> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    contextId,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as T;
}

/** Ignores a failed command: the page may have ended before it. */
const ignoreEnd = (sent: Promise<unknown>): void => void sent.catch(() => undefined);
