import { selectionVersion } from '../../../text/extraction/content-selection.ts';
import { PDF_TYPE } from '../../../text/pdf/is-pdf.ts';
import { retryAfterMs } from '../../../text/web/retry-after.ts';
import { ROBOTS_TOKEN } from '../../../text/web/user-agent.ts';
import type { Clock } from '../../clock.ts';
import { DeadlyPageError } from '../../errors.ts';
import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { FetchFailure, FetchResult, PageFetcher } from '../../ports/page-fetcher.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import { MAX_RETRY_AFTER_MS } from '../jobs/job.ts';
import { isRefusal } from '../jobs/refusal.ts';
import type { NextTry, QueuedUrl } from '../jobs/url-rows.ts';
import { answerHash, readResponse, redirected, validatorsOf } from './read-page.ts';
import type { Refusals } from './refusals.ts';
import type { ReadAnswer, Rendering } from './rendering.ts';
import {
  failureReason,
  isRedirect,
  type NotModified,
  type Validators,
  type Visit,
  type VisitRules,
} from './visit-result.ts';

/** Dependencies and rules for fetching and reading pages. */
export type Visiting = {
  readonly rules: VisitRules;
  readonly fetcher: PageFetcher;
  readonly pageReader: PageReader;
  /** @default pages are read as the server sends them */
  readonly rendering?: Rendering | undefined;
  /** @default the server is not known to refuse URLs */
  readonly refusals?: Pick<Refusals, 'isPartial'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** A fetched URL that is not read yet. */
export type Fetched = {
  readonly queued: QueuedUrl;
  /** The site's page, if it can be revalidated. */
  readonly stored: RegisteredPage | undefined;
  /** `stored`, if the request asked whether the page has changed. */
  readonly asked: RegisteredPage | undefined;
  /** Undefined if robots.txt forbids the URL. */
  readonly result: FetchResult | undefined;
};

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
/** A PDF may be larger than a page and take longer. */
const PDF_LIMITS = { maxBytes: 50 * 1024 * 1024, timeoutMs: 45_000 };
const ACCEPT = 'text/html,application/xhtml+xml,text/markdown;q=0.9,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.1';
const FIRST_WAIT_MS = 2000;
/** Number of tries of a URL on a site that refuses some URLs permanently. */
const FEW_TRIES = 3;

/**
 * Number of fetches before such an answer is final. A 429 has most, because it only means that the crawler is too fast.
 */
const TRIES: ReadonlyMap<number | FetchFailure, number> = new Map<number | FetchFailure, number>([
  [429, 6],
  [503, 3],
  [502, 2],
  [504, 2],
  ['connection', 2],
]);

/** Fetches a URL and classifies the answer. Never throws because of what a website sends. */
export async function visitPage(
  queued: QueuedUrl,
  stored: RegisteredPage | undefined,
  visiting: Visiting,
): Promise<Visit> {
  return readPage(await fetchPage(queued, stored, visiting), visiting);
}

/** Runs the first step of a visit. The connection is free when it has resolved. */
export async function fetchPage(
  queued: QueuedUrl,
  stored: RegisteredPage | undefined,
  { rules, fetcher, rendering, signal }: Visiting,
): Promise<Fetched> {
  if (rules.robots?.allows(queued.url, ROBOTS_TOKEN) === false)
    return { queued, stored, asked: undefined, result: undefined };
  const mayConfirm = isReadAlike(stored, rules) && !rendering?.isWanted(queued.url);
  const asked = !queued.isUnconditional && mayConfirm ? stored : undefined;
  const result = await fetcher.fetch({
    url: queued.url,
    accept: ACCEPT,
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    limitsOfTypes: { [PDF_TYPE]: PDF_LIMITS },
    signal,
    ...(asked?.etag !== undefined && { etag: asked.etag }),
    ...(asked?.lastModified !== undefined && { lastModified: asked.lastModified }),
  });
  return { queued, stored, asked, result };
}

/** Runs the second step of a visit: classifies the answer and reads the page, if there is one. */
export async function readPage({ result, ...fetched }: Fetched, visiting: Visiting): Promise<Visit> {
  const unseen = { queued: fetched.queued, answered: false, found: [] };
  if (!result) return { ...unseen, fetched: false, ending: { outcome: 'skipped', reason: 'robots' } };
  try {
    return await classify({ ...fetched, result }, visiting);
  } catch (error) {
    // An unreadable page must not stop the crawl.
    const reason = error instanceof DeadlyPageError ? 'gave_up' : 'bad_content';
    return { ...unseen, fetched: true, ending: { outcome: 'failed', reason } };
  }
}

/** Returns whether a page has arrived and can be read. */
export const hasPage = ({ result }: Fetched): boolean => result?.kind === 'response' && result.status === 200;

/** Returns whether the stored page was read with today's settings. */
const isReadAlike = (stored: RegisteredPage | undefined, { fields, selection }: VisitRules): boolean =>
  stored?.fields === fields.version && stored?.selection === selectionVersion(selection);

/** Returns whether the server still answers a URL that it answered before. The page is not read. */
export async function isAnswered(
  url: string,
  { fetcher, signal }: Pick<Visiting, 'fetcher' | 'signal'>,
): Promise<boolean> {
  const result = await fetcher.fetch({ url, accept: ACCEPT, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal });
  return result.kind === 'response' && !isRefusal(result.status);
}

type Answered = Fetched & { readonly result: FetchResult };

async function classify(fetched: Answered, visiting: Visiting): Promise<Visit> {
  const { queued, asked, result } = fetched;
  const now = visiting.clock();
  const seen = { queued, fetched: true, answered: false, found: [] };
  if (result.kind === 'failure') {
    const next = nextTry(result.reason, undefined, queued, now);
    if (next) return { ...seen, next };
    return { ...seen, ending: { outcome: 'failed', reason: failureReason(result.reason) } };
  }
  const { status, headers } = result;
  const robotsTag = headers['x-robots-tag'];
  if (status === 200) {
    const validators = validatorsOf({
      ...usableValidators(headers, now),
      answerHash: answerHash(headers, result.body),
    });
    if (asked?.answerHash !== undefined && asked.answerHash === validators.answerHash)
      return { ...seen, answered: true, stored: asked, validators, status, robotsTag };
    return readBody(fetched, result, validators, visiting);
  }
  if (status === 304 && hasValidator(asked)) return { ...seen, answered: true, ...notModified(asked, robotsTag) };
  if (isRedirect(status)) return redirected(queued, headers.location, status, visiting.rules);
  if (status === 404 || status === 410) return { ...seen, ending: { outcome: 'gone', reason: String(status), status } };
  const isPartlyRefused = visiting.refusals?.isPartial === true;
  return unanswered(queued, status, { retryAfter: headers['retry-after'], now, isPartlyRefused });
}

/** Reads a page that answered 200: as a browser shows it if the job wants that, else as it was sent. */
async function readBody(
  { queued, stored }: Fetched,
  { headers, body }: FetchResult & { readonly kind: 'response' },
  validators: Validators,
  { rules, pageReader, rendering }: Visiting,
): Promise<Visit> {
  const sources = rules.fields.fields.map(({ from }) => from);
  const { selection } = rules;
  const page = { url: queued.url, contentType: headers['content-type'], body, sources, selection };
  const read: ReadAnswer = rendering
    ? await rendering.read({ page, headers }, stored, pageReader)
    : { kind: 'content', content: await pageReader.read(page) };
  if (read.kind === 'redirect') return redirected(queued, read.url, 200, rules);
  if (read.kind === 'not_rendered') {
    const ending = { outcome: 'failed', reason: 'not_rendered', status: 200 } as const;
    return { queued, fetched: true, answered: true, found: [], ending };
  }
  const { content, isRendered } = read;
  // The same answer may show another page, or be rendered next time, so its validators are not stored.
  const origin = isRendered === undefined ? { validators } : { validators: {}, isRendered };
  return readResponse(queued, content, headers, origin, rules);
}

/** Returns the visit of an answer without a page: another try, or a final outcome. */
function unanswered(
  queued: QueuedUrl,
  status: number,
  {
    retryAfter,
    now,
    isPartlyRefused,
  }: { readonly retryAfter: string | undefined; readonly now: number; readonly isPartlyRefused: boolean },
): Visit {
  const seen = { queued, fetched: true, answered: false, found: [] };
  const next = nextTry(status, retryAfter, queued, now, isPartlyRefused ? FEW_TRIES : undefined);
  if (!isRefusal(status))
    return next ? { ...seen, next } : { ...seen, ending: { outcome: 'failed', reason: 'http_status', status } };
  const wait = retryAfterMs(retryAfter, now);
  const refused = {
    ...seen,
    refusal: { status, ...(wait !== undefined && { retryAt: now + wait }) },
    // A 503 without Retry-After may concern this page only.
    ...(!isPartlyRefused && (status === 429 || wait !== undefined) && { slowsDown: true as const }),
  };
  return next ? { ...refused, next } : { ...refused, ending: { outcome: 'failed', reason: 'unavailable', status } };
}

/** Drops validators that would always match: an ETag of `*` (RFC 9110, 13.1.2) and a date in the future. */
function usableValidators({ etag, 'last-modified': lastModified }: Readonly<Record<string, string>>, now: number) {
  const isFuture = lastModified !== undefined && Date.parse(lastModified) > now;
  return { etag: etag === '*' ? undefined : etag, lastModified: isFuture ? undefined : lastModified };
}

/** Returns whether the page has a validator. A 304 to a request without one means nothing. */
const hasValidator = (stored: RegisteredPage | undefined): stored is RegisteredPage =>
  (stored?.etag ?? stored?.lastModified) !== undefined;

/**
 * Returns the visit of an unchanged page. A 304 with directives changes the stored page, so the earlier answer's hash
 * is dropped.
 */
function notModified(stored: RegisteredPage, robotsTag: string | undefined): NotModified {
  const { answerHash, ...toServer } = stored;
  return { stored, validators: validatorsOf(robotsTag === undefined ? stored : toServer), status: 304, robotsTag };
}

/**
 * Returns the next try after the time in `Retry-After`, else after 2 s, doubled each time; undefined if the failure is
 * final.
 */
export function nextTry(
  fault: number | FetchFailure,
  retryAfter: string | undefined,
  { tries = 0 }: Pick<QueuedUrl, 'tries'>,
  now: number,
  most = Number.POSITIVE_INFINITY,
): NextTry | undefined {
  const made = tries + 1;
  const asked = retryAfterMs(retryAfter, now);
  if (made >= Math.min(TRIES.get(fault) ?? 1, most) || (asked ?? 0) > MAX_RETRY_AFTER_MS) return undefined;
  const wait = asked ?? FIRST_WAIT_MS * 2 ** tries;
  return { tries: made, notBefore: now + Math.min(wait, MAX_RETRY_AFTER_MS) };
}
