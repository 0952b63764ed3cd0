import { createHash } from 'node:crypto';
import { defined } from '../../../text/defined.ts';
import { isSoftNotFound } from '../../../text/extraction/soft-404.ts';
import type { Unreadable } from '../../../text/fetched-page.ts';
import type { PageContent } from '../../../text/page-content.ts';
import { robotsHeader } from '../../../text/web/robots-header.ts';
import { normaliseUrl, originOf, pathOf, urlHash } from '../../../text/web/url.ts';
import type { Ending, FoundUrl, QueuedUrl } from '../jobs/url-rows.ts';
import {
  type Ended,
  type FoundPage,
  MAX_REDIRECTS,
  type Validators,
  type Visit,
  type VisitRules,
} from './visit-result.ts';

/** A meta refresh of at most this many seconds is a redirect, a slower one a link. */
const REFRESH_IS_REDIRECT = 5;

type Read = Visit & (Ended | FoundPage);
type Headers = Readonly<Record<string, string>>;

/** Returns the SHA-256 of everything from which a page is read. */
export function answerHash(headers: Headers, body: Uint8Array): string {
  const read = JSON.stringify([headers['content-type'], headers['x-robots-tag']]);
  return createHash('sha256').update(read).update(body).digest('base64url');
}

/** Returns the validators of a response that are short enough to store. */
export function validatorsOf({
  etag,
  lastModified,
  answerHash,
}: Partial<Record<keyof Validators, string | undefined>>): Validators {
  return {
    ...validator('etag', etag),
    ...validator('lastModified', lastModified),
    ...validator('answerHash', answerHash),
  };
}

const MAX_VALIDATOR_LENGTH = 500;
const validator = (name: keyof Validators, value: string | undefined) =>
  value === undefined || value.length > MAX_VALIDATOR_LENGTH ? {} : { [name]: value };

/**
 * Classifies a page that answered 200. `content` is undefined for another content type, or the reason why there is no
 * text.
 */
export function readResponse(
  queued: QueuedUrl,
  content: PageContent | Unreadable | undefined,
  headers: Headers,
  origin: Pick<FoundPage, 'validators' | 'isRendered'>,
  rules: VisitRules,
): Read {
  if (!content) return { ...answered(queued), ending: { outcome: 'skipped', reason: 'content_type', status: 200 } };
  if (content === 'broken_pdf')
    return { ...answered(queued), ending: { outcome: 'failed', reason: content, status: 200 } };
  if (typeof content === 'string')
    return { ...answered(queued), ending: { outcome: 'skipped', reason: content, status: 200 } };
  return readContent(queued, withHeader(content, headers['x-robots-tag']), { ...origin, status: 200 }, rules);
}

const answered = (queued: QueuedUrl) => ({ queued, fetched: true, answered: true, found: [] });

/** Adds the header's directives to those of the page. They are stored with it, because a 304 does not repeat them. */
export function withHeader(content: PageContent, robotsTag: string | undefined): PageContent {
  const directives = robotsHeader(robotsTag);
  return {
    ...content,
    noindex: content.noindex || directives.noindex,
    nofollow: content.nofollow || directives.nofollow,
  };
}

export function readContent(
  queued: QueuedUrl,
  content: PageContent,
  origin: Pick<FoundPage, 'validators' | 'status' | 'isRendered'>,
  rules: VisitRules,
): Read {
  const { status } = origin;
  const seen = answered(queued);
  if (content.refresh && content.refresh.seconds <= REFRESH_IS_REDIRECT) {
    const target = normaliseUrl(content.refresh.url, queued.url);
    // A page that only reloads itself is an ordinary page.
    if (target !== undefined && target !== queued.url) return { ...seen, ...redirection(target, queued, rules, 200) };
  }
  const found = content.nofollow ? [] : followed(linksOf(content), queued, rules);
  const skipped = (reason: string, more: readonly FoundUrl[] = [], target?: string): Read => ({
    ...seen,
    found: [...more, ...found],
    ending: { outcome: 'skipped', reason, status, ...defined({ target }) },
  });
  const refusal = queued.isStart && rules.filter.refusal(queued.url);
  if (refusal) return skipped(refusal);
  if (content.noindex) return skipped('noindex');
  const canonical = queued.isOrphaned ? undefined : canonicalOf(content, queued, rules);
  if (canonical !== undefined) {
    const { url: foundOn, depth, isLeaf } = queued;
    const canonicalUrl = { url: canonical, depth, foundOn, isTarget: true, isNamed: true, ...(isLeaf && { isLeaf }) };
    return skipped('canonical', [canonicalUrl], canonical);
  }
  if (content.blocks.length === 0) return skipped('empty');
  if (isSoftNotFound(content)) return skipped('soft_404');
  return { ...seen, found, content, ...origin };
}

const linksOf = ({ links, refresh }: PageContent): PageContent['links'] =>
  refresh ? [{ href: refresh.url, nofollow: false }, ...links] : links;

function followed(
  links: PageContent['links'],
  { url: foundOn, depth, isLeaf }: QueuedUrl,
  { filter, isListed }: VisitRules,
): readonly FoundUrl[] {
  if (isListed || isLeaf) return [];
  return links.flatMap(({ href, nofollow }, position) => {
    const url = nofollow ? undefined : filter.onSite(href);
    return url === undefined ? [] : [{ url, depth: depth + 1, foundOn, position }];
  });
}

/** Returns the canonical that a page names, if it is another URL that this crawl visits. */
function canonicalOf(
  { canonical }: PageContent,
  { url }: QueuedUrl,
  { filter, isListed }: VisitRules,
): string | undefined {
  const named = canonical === undefined ? undefined : filter.onSite(canonical);
  if (named === undefined || named === url || isListed?.(named) === false) return undefined;
  return filter.refusal(named) === undefined ? named : undefined;
}

type Redirection = Pick<Visit, 'found' | 'movedTo'> & { readonly ending: Ending };

export function redirected(queued: QueuedUrl, location: string | undefined, status: number, rules: VisitRules): Visit {
  const target = location === undefined ? undefined : normaliseUrl(location, queued.url);
  const seen = { queued, fetched: true, answered: false };
  if (target === undefined) return { ...seen, found: [], ending: { outcome: 'failed', reason: 'bad_content', status } };
  return { ...seen, ...redirection(target, queued, rules, status) };
}

/**
 * Returns the consequences of a redirect to `target`. A chain that is too long or returns to an earlier URL is a loop.
 */
export function redirection(target: string, queued: QueuedUrl, rules: VisitRules, status: number): Redirection {
  const via = [...(queued.via ?? []), queued.urlHash];
  if (via.length > MAX_REDIRECTS || via.includes(urlHash(target)))
    return { found: [], ending: { outcome: 'failed', reason: 'redirect_loop', status } };
  const movedTo = newBaseUrl(target, queued, rules);
  const isStart = queued.isStart && (movedTo !== undefined || originOf(target) === rules.filter.origin);
  return {
    found: [
      {
        url: target,
        depth: queued.depth,
        foundOn: queued.url,
        via,
        isTarget: true,
        ...(isStart && { isStart }),
        ...(queued.isLeaf && { isLeaf: true }),
      },
    ],
    ending: { outcome: 'skipped', reason: 'redirect', status, target },
    ...defined({ movedTo }),
  };
}

/**
 * Returns the new base URL of a site that has moved: its start page redirects to the same host with another scheme, or
 * with or without `www.`. Any other origin may belong to somebody else. A URL list has no start page, so the redirect
 * must also keep the path.
 */
function newBaseUrl(target: string, queued: QueuedUrl, { filter, isListed }: VisitRules): string | undefined {
  if (originOf(target) === filter.origin || !isSameHost(target, filter.baseUrl)) return undefined;
  if (queued.isStart) return target;
  const isWholeMove = pathOf(target) === pathOf(queued.url);
  return isListed && isWholeMove ? `${originOf(target)}${pathOf(filter.baseUrl)}` : undefined;
}

/** Returns whether two URLs on default ports have the same host, ignoring `www.`. */
function isSameHost(a: string, b: string): boolean {
  const [first, second] = [URL.parse(a), URL.parse(b)];
  return first?.port === '' && second?.port === '' && bareHost(first) === bareHost(second);
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '');
