import type { FetchFailure, FetchResult, PageFetcher } from '../../adapters/ports.ts';
import { extractHtml } from '../content/extract-html.ts';
import { extractText } from '../content/extract-text.ts';
import { type PageContent, plainText } from '../content/page-content.ts';
import { detectLanguage } from '../language/detect-language.ts';
import { decodeBody } from '../web/charset.ts';
import type { Robots } from '../web/robots.ts';
import { robotsHeader } from '../web/robots-header.ts';
import { normaliseUrl, originOf } from '../web/url.ts';
import { ROBOTS_TOKEN } from '../web/user-agent.ts';
import type { CrawlScope } from './crawl-scope.ts';
import type { Ending, FoundUrl, QueuedUrl } from './frontier.ts';
import { redirection } from './redirect.ts';

/** What came of one queued URL. With `content` it is a page to index, its outcome still open between indexed, unchanged and duplicate. */
export type Visit = {
  readonly queued: QueuedUrl;
  /** Whether a request was made, and whether it was answered 200 or 304. */
  readonly fetched: boolean;
  readonly answered: boolean;
  readonly found: readonly FoundUrl[];
  /** The site has moved within its domain: its base URL from now on. */
  readonly movedTo?: string;
} & ({ readonly ending: Ending } | { readonly content: PageContent });

export type VisitRules = {
  readonly scope: CrawlScope;
  /** Undefined when the site wants its robots.txt ignored. */
  readonly robots: Robots | undefined;
  /** Of a job that was given its URLs: it follows no links, and a canonical only to one of these. */
  readonly isListed?: (url: string) => boolean;
};

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
const ACCEPT = 'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,*/*;q=0.1';
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** A meta refresh up to this many seconds is a redirect, a slower one a page that reloads. */
const REFRESH_IS_REDIRECT = 5;

/** Fetches a URL, unless robots.txt forbids it, and says what is there. Never throws for anything that a website sends. */
export async function visit(
  queued: QueuedUrl,
  rules: VisitRules,
  fetcher: PageFetcher,
  signal: AbortSignal,
): Promise<Visit> {
  const unseen = { queued, fetched: false, answered: false, found: [] };
  if (rules.robots?.allows(queued.url, ROBOTS_TOKEN) === false)
    return { ...unseen, ending: { outcome: 'skipped', reason: 'robots' } };
  const result = await fetcher.fetch({
    url: queued.url,
    accept: ACCEPT,
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  try {
    return judge(queued, result, rules);
  } catch {
    // Readers promise not to throw; should one break its promise, its page pays for it and not the crawl.
    return { ...unseen, fetched: true, ending: { outcome: 'failed', reason: 'bad_content' } };
  }
}

function judge(queued: QueuedUrl, result: FetchResult, rules: VisitRules): Visit {
  const seen = { queued, fetched: true, answered: false, found: [] };
  if (result.kind === 'failure')
    return { ...seen, ending: { outcome: 'failed', reason: failureReason(result.reason) } };
  const { status, headers } = result;
  if (REDIRECTS.has(status)) return redirected(queued, headers.location, status, rules);
  if (status === 404 || status === 410) return { ...seen, ending: { outcome: 'gone', reason: String(status), status } };
  if (status !== 200) return { ...seen, ending: { outcome: 'failed', reason: 'http_status', status } };
  return { ...read(queued, result.headers, result.body, rules), answered: true };
}

/** An aborted fetch only happens while the slice is ending, and its visit is dropped then. */
const failureReason = (reason: FetchFailure): string => (reason === 'aborted' ? 'timeout' : reason);

function redirected(queued: QueuedUrl, location: string | undefined, status: number, rules: VisitRules): Visit {
  const target = location === undefined ? undefined : normaliseUrl(location, queued.url);
  const seen = { queued, fetched: true, answered: false };
  if (target === undefined) return { ...seen, found: [], ending: { outcome: 'failed', reason: 'bad_content', status } };
  return { ...seen, ...redirection(target, queued, rules, status) };
}

function read(
  queued: QueuedUrl,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  rules: VisitRules,
): Visit {
  const seen = { queued, fetched: true, answered: true };
  const skipped = (reason: string, found: readonly FoundUrl[] = [], target?: string): Visit => ({
    ...seen,
    found,
    ending: { outcome: 'skipped', reason, status: 200, ...(target !== undefined && { target }) },
  });
  const content = extract(queued.url, headers['content-type'], body);
  if (!content) return skipped('content_type');
  if (content.refresh && content.refresh.seconds <= REFRESH_IS_REDIRECT) {
    const target = normaliseUrl(content.refresh.url, queued.url);
    // A page that reloads itself is a page.
    if (target !== undefined && target !== queued.url) return { ...seen, ...redirection(target, queued, rules, 200) };
  }
  const directives = robotsHeader(headers['x-robots-tag']);
  const found = content.nofollow || directives.nofollow ? [] : followed(content.links, queued, rules);
  const refusal = queued.isStart && rules.scope.refusal(queued.url);
  if (refusal) return skipped(refusal, found);
  if (content.noindex || directives.noindex) return skipped('noindex', found);
  const canonical = queued.ignoreCanonical ? undefined : canonicalOf(content, queued, rules);
  if (canonical !== undefined)
    return skipped('canonical', [{ url: canonical, depth: queued.depth, foundOn: queued.url }, ...found], canonical);
  if (content.blocks.length === 0) return skipped('empty', found);
  return { ...seen, found, content };
}

const XHTML = 'application/xhtml+xml';
const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT = /^text\/(?:plain|markdown|x-markdown)$/;
/** A server that names no type is taken at the look of its first characters. */
const LOOKS_LIKE_HTML = /^\s*<(?:!doctype|!--|html|head|body|\?xml)/i;

function extract(url: string, contentType: string | undefined, body: Uint8Array): PageContent | undefined {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType && !HTML.test(mediaType) && !TEXT.test(mediaType)) return undefined;
  const text = decodeBody(body, contentType);
  const html = mediaType ? HTML.test(mediaType) : LOOKS_LIKE_HTML.test(text.slice(0, 1024));
  return withLanguage(html ? extractHtml(text, url, { xml: mediaType === XHTML }) : extractText(text, url));
}

/** A page that does not say its language is known by its words. */
function withLanguage(content: PageContent): PageContent {
  const language = content.language ?? detectLanguage(plainText(content));
  return language === undefined ? content : { ...content, language };
}

/** The links on a page that lead to pages of the same origin. */
function followed(
  links: PageContent['links'],
  { url: foundOn, depth }: QueuedUrl,
  { scope, isListed }: VisitRules,
): readonly FoundUrl[] {
  if (isListed) return [];
  return links.flatMap(({ href, nofollow }) => {
    const url = nofollow ? undefined : normaliseUrl(href);
    return url !== undefined && originOf(url) === scope.origin ? [{ url, depth: depth + 1, foundOn }] : [];
  });
}

/** The page that a page names in its stead; one that this crawl does not visit cannot stand for it. */
function canonicalOf(
  { canonical }: PageContent,
  { url }: QueuedUrl,
  { scope, isListed }: VisitRules,
): string | undefined {
  const named = canonical === undefined ? undefined : normaliseUrl(canonical);
  if (named === undefined || named === url || isListed?.(named) === false) return undefined;
  return scope.refusal(named) === undefined ? named : undefined;
}
