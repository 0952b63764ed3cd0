import type { Clock } from '../../clock.ts';
import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { FetchFailure, FetchResult, PageFetcher } from '../../ports/page-fetcher.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import { normaliseUrl } from '../../web/url.ts';
import { ROBOTS_TOKEN } from '../../web/user-agent.ts';
import type { QueuedUrl } from '../frontier/frontier-rows.ts';
import { answerHash, readAnswer, validatorsOf } from './read-page.ts';
import { isRedirect, redirection } from './redirect.ts';
import { LONGEST_RETRY_AFTER_MS, nextTry, retryAfterMs } from './retry-policy.ts';
import type { NotModified, Visit, VisitRules } from './visit-result.ts';

export type VisitDeps = {
  readonly fetcher: PageFetcher;
  readonly pageReader: PageReader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when a page has come whole and nothing more is asked of the server. */
  readonly beforeReading?: (() => void) | undefined;
};

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
const ACCEPT = 'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,*/*;q=0.1';
const OVERLOADED: ReadonlySet<number> = new Set([429, 503]);

/**
 * Asks for a URL, unless robots.txt forbids it, and says what is there. `held` is what the site holds of it, if that counts unless
 * it has changed. Never throws for anything that a website sends.
 */
export async function visit(
  queued: QueuedUrl,
  held: RegisteredPage | undefined,
  rules: VisitRules,
  { fetcher, pageReader, clock, signal, beforeReading }: VisitDeps,
): Promise<Visit> {
  const unseen = { queued, fetched: false, answered: false, found: [] };
  if (rules.robots?.allows(queued.url, ROBOTS_TOKEN) === false)
    return { ...unseen, ending: { outcome: 'skipped', reason: 'robots' } };
  const asked = queued.isUnconditional ? undefined : held;
  const result = await fetcher.fetch({
    url: queued.url,
    accept: ACCEPT,
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    signal,
    ...(asked?.etag !== undefined && { etag: asked.etag }),
    ...(asked?.lastModified !== undefined && { lastModified: asked.lastModified }),
  });
  if (result.kind !== 'failure' && result.status === 200) beforeReading?.();
  try {
    return await judge(queued, asked, result, rules, { pageReader, now: clock() });
  } catch {
    // What cannot be read costs itself and not the crawl.
    return { ...unseen, fetched: true, ending: { outcome: 'failed', reason: 'bad_content' } };
  }
}

async function judge(
  queued: QueuedUrl,
  held: RegisteredPage | undefined,
  result: FetchResult,
  rules: VisitRules,
  { pageReader, now }: { readonly pageReader: PageReader; readonly now: number },
): Promise<Visit> {
  const seen = { queued, fetched: true, answered: false, found: [] };
  if (result.kind === 'failure') {
    const next = nextTry(result.reason, undefined, queued, now);
    if (next) return { ...seen, next };
    return { ...seen, ending: { outcome: 'failed', reason: failureReason(result.reason) } };
  }
  const { status, headers } = result;
  const robotsTag = headers['x-robots-tag'];
  if (status === 200) {
    const validators = validatorsOf({ ...askable(headers, now), answerHash: answerHash(headers, result.body) });
    if (held?.answerHash !== undefined && held.answerHash === validators.answerHash)
      return { ...seen, answered: true, held, validators, status, robotsTag };
    const page = { url: queued.url, contentType: headers['content-type'], body: result.body };
    return readAnswer(queued, await pageReader.read(page), headers, validators, rules);
  }
  if (status === 304 && canBeAsked(held)) return { ...seen, answered: true, ...notModified(held, robotsTag) };
  if (isRedirect(status)) return redirected(queued, headers.location, status, rules);
  if (status === 404 || status === 410) return { ...seen, ending: { outcome: 'gone', reason: String(status), status } };
  const seenLoad = { ...seen, ...loadOf(status, headers['retry-after'], now) };
  const next = nextTry(status, headers['retry-after'], queued, now);
  if (next) return { ...seenLoad, next };
  const reason = OVERLOADED.has(status) ? 'unavailable' : 'http_status';
  return { ...seenLoad, ending: { outcome: 'failed', reason, status } };
}

/** Without those to which a server may say for ever that nothing has changed: an ETag of `*` (RFC 9110, 13.1.2), a date still to come. */
function askable({ etag, 'last-modified': lastModified }: Readonly<Record<string, string>>, now: number) {
  const isToCome = lastModified !== undefined && Date.parse(lastModified) > now;
  return { etag: etag === '*' ? undefined : etag, lastModified: isToCome ? undefined : lastModified };
}

/** A server that was asked without a validator cannot know. */
const canBeAsked = (held: RegisteredPage | undefined): held is RegisteredPage =>
  (held?.etag ?? held?.lastModified) !== undefined;

/** With directives of its own, what is kept from now on is not what the hashed answer says. */
function notModified(held: RegisteredPage, robotsTag: string | undefined): NotModified {
  const { answerHash, ...toServer } = held;
  return { held, validators: validatorsOf(robotsTag === undefined ? held : toServer), status: 304, robotsTag };
}

/** A 503 may be the page's own trouble, unless the server says when it will be back. */
function loadOf(status: number, retryAfter: string | undefined, now: number): Pick<Visit, 'load'> {
  const wait = retryAfterMs(retryAfter, now);
  if (!OVERLOADED.has(status) || (status === 503 && wait === undefined)) return {};
  return { load: (wait ?? 0) > LONGEST_RETRY_AFTER_MS ? 'closed' : 'busy' };
}

/** An aborted fetch only happens while the slice is ending, and its visit is dropped then. */
const failureReason = (reason: FetchFailure): string => (reason === 'aborted' ? 'timeout' : reason);

function redirected(queued: QueuedUrl, location: string | undefined, status: number, rules: VisitRules): Visit {
  const target = location === undefined ? undefined : normaliseUrl(location, queued.url);
  const seen = { queued, fetched: true, answered: false };
  if (target === undefined) return { ...seen, found: [], ending: { outcome: 'failed', reason: 'bad_content', status } };
  return { ...seen, ...redirection(target, queued, rules, status) };
}
