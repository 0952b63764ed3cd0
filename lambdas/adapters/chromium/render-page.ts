import type { Browser, CDPSession, Protocol } from 'puppeteer-core';
import type { RenderRequest, RenderResult } from '../../core/ports/page-renderer.ts';
import { BEFORE_PAGE, FINGERPRINT, HTML } from './page-scripts.ts';
import { PendingRequests } from './pending-requests.ts';

const STILL_MS = 500;
const LOOK_MS = 100;
/** A page that never comes to rest is read as it is then. */
const LONGEST_UNREST_MS = 8_000;
const MOST_CHARACTERS = 10 * 1024 * 1024;
/** Never loaded. Documents are intercepted too: only the page itself is loaded. */
const UNWANTED = ['Image', 'Media', 'Font', 'Ping'] as const;
/** Headers of an answer that do not fit its unpacked body. */
const OF_TRANSFER = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'set-cookie']);

type Page = {
  readonly session: CDPSession;
  readonly frameId: string;
  readonly requests: PendingRequests;
  /** Where the page leads by script or refresh. */
  redirect: string | undefined;
};

/** Shows a page in a context of its own and reads it when it has come to rest. Throws when page or browser end. */
export async function renderPage(browser: Browser, request: RenderRequest): Promise<RenderResult> {
  const context = await browser.createBrowserContext({ downloadBehavior: { policy: 'deny' } });
  try {
    const tab = await context.newPage();
    const crashed = new Promise<never>((_, reject) => {
      tab.once('error', reject);
    });
    const session = await tab.createCDPSession();
    const shown = show(session, request);
    return await Promise.race([shown, crashed]);
  } finally {
    await context.close().catch(() => undefined);
  }
}

async function show(session: CDPSession, request: RenderRequest): Promise<RenderResult> {
  const page = await prepare(session, request);
  const { errorText } = await session.send('Page.navigate', { url: request.url });
  if (page.redirect !== undefined) return { kind: 'redirect', url: page.redirect };
  if (errorText !== undefined) throw new Error(errorText);
  const world = await session.send('Page.createIsolatedWorld', { frameId: page.frameId, worldName: 'reader' });
  const run = <T>(expression: string) => evaluate<T>(session, world.executionContextId, expression);
  await untilStill(page, run);
  if (page.redirect !== undefined) return { kind: 'redirect', url: page.redirect };
  const html = await run<string>(HTML);
  if (html.length > MOST_CHARACTERS)
    return { kind: 'failure', reason: 'too_large', detail: `the page has become ${html.length} characters long` };
  return { kind: 'page', url: await run<string>('location.href'), html };
}

async function prepare(session: CDPSession, request: RenderRequest): Promise<Page> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const page: Page = {
    session,
    frameId: frameTree.frame.id,
    requests: new PendingRequests(session),
    redirect: undefined,
  };
  session.on('Page.javascriptDialogOpening', () =>
    ignoreEnd(session.send('Page.handleJavaScriptDialog', { accept: false })),
  );
  let isShown = false;
  session.on('Fetch.requestPaused', (paused) => {
    const isPage = paused.resourceType === 'Document' && paused.frameId === page.frameId;
    if (isPage && !isShown) {
      isShown = true;
      ignoreEnd(session.send('Fetch.fulfillRequest', answerOf(request, paused.requestId)));
      return;
    }
    if (isPage && paused.request.method === 'GET') page.redirect ??= paused.request.url;
    const errorReason = paused.resourceType === 'Document' ? 'Aborted' : 'BlockedByClient';
    ignoreEnd(session.send('Fetch.failRequest', { requestId: paused.requestId, errorReason }));
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

function answerOf({ headers, body }: RenderRequest, requestId: string): Protocol.Fetch.FulfillRequestRequest {
  const kept = Object.entries(headers).filter(([name]) => !OF_TRANSFER.has(name));
  return {
    requestId,
    responseCode: 200,
    responseHeaders: kept.map(([name, value]) => ({ name, value })),
    body: Buffer.from(body).toString('base64'),
  };
}

/** Until the page has not changed for half a second and waits for no answer. */
async function untilStill({ requests, ...page }: Page, run: <T>(expression: string) => Promise<T>): Promise<void> {
  const end = performance.now() + LONGEST_UNREST_MS;
  let seen: number | undefined;
  let stillSince = performance.now();
  while (performance.now() < end && page.redirect === undefined) {
    const now = await run<number>(FINGERPRINT);
    if (now !== seen || requests.areAwaited) stillSince = performance.now();
    seen = now;
    if (performance.now() - stillSince >= STILL_MS) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function evaluate<T>(session: CDPSession, contextId: number, expression: string): Promise<T> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    ...{ expression, contextId, returnByValue: true },
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as T;
}

/** Answers to events: the page may have ended meanwhile. */
const ignoreEnd = (sent: Promise<unknown>): void => void sent.catch(() => undefined);
