import { createHash } from 'node:crypto';
import { isSoftNotFound } from '../../content/extraction/soft-404.ts';
import type { PageContent } from '../../content/page-content.ts';
import { robotsHeader } from '../../web/robots-header.ts';
import { normaliseUrl } from '../../web/url.ts';
import type { FoundUrl, QueuedUrl } from '../frontier/frontier-rows.ts';
import { redirection } from './redirect.ts';
import type { Ended, FoundPage, NotModified, Validators, Visit, VisitRules } from './visit-result.ts';

/** A meta refresh up to this many seconds is a redirect, a slower one a link. */
const REFRESH_IS_REDIRECT = 5;

type Read = Visit & (Ended | FoundPage);
type Headers = Readonly<Record<string, string>>;

/** SHA-256 of all that a page is read from. */
export function answerHash(headers: Headers, body: Uint8Array): string {
  const read = JSON.stringify([headers['content-type'], headers['x-robots-tag']]);
  return createHash('sha256').update(read).update(body).digest('base64url');
}

/** Those that are there and short enough to be kept. */
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

const LONGEST_VALIDATOR = 500;
const validator = (name: keyof Validators, value: string | undefined) =>
  value === undefined || value.length > LONGEST_VALIDATOR ? {} : { [name]: value };

/** Judges what was read of a page that answered 200; undefined is of another type. */
export function readAnswer(
  queued: QueuedUrl,
  content: PageContent | undefined,
  headers: Headers,
  validators: Validators,
  rules: VisitRules,
): Read {
  if (!content) return { ...answered(queued), ending: { outcome: 'skipped', reason: 'content_type', status: 200 } };
  return readContent(queued, withHeader(content, headers['x-robots-tag']), { validators, status: 200 }, rules);
}

/** Reads once more what was kept of a page that has not changed, as if it had been sent. */
export function rereadStored(
  { queued, validators, status, robotsTag }: Visit & NotModified,
  content: PageContent,
  rules: VisitRules,
): Read {
  return readContent(queued, withHeader(content, robotsTag), { validators, status }, rules);
}

const answered = (queued: QueuedUrl) => ({ queued, fetched: true, answered: true, found: [] });

/** The directives of the header are kept with those of the page: an answer that it has not changed does not repeat them. */
function withHeader(content: PageContent, robotsTag: string | undefined): PageContent {
  const directives = robotsHeader(robotsTag);
  return {
    ...content,
    noindex: content.noindex || directives.noindex,
    nofollow: content.nofollow || directives.nofollow,
  };
}

function readContent(
  queued: QueuedUrl,
  content: PageContent,
  { validators, status }: Pick<FoundPage, 'validators' | 'status'>,
  rules: VisitRules,
): Read {
  const seen = answered(queued);
  if (content.refresh && content.refresh.seconds <= REFRESH_IS_REDIRECT) {
    const target = normaliseUrl(content.refresh.url, queued.url);
    // A page that reloads itself is a page.
    if (target !== undefined && target !== queued.url) return { ...seen, ...redirection(target, queued, rules, 200) };
  }
  const found = content.nofollow ? [] : followed(linksOf(content), queued, rules);
  const skipped = (reason: string, more: readonly FoundUrl[] = [], target?: string): Read => ({
    ...seen,
    found: [...more, ...found],
    ending: { outcome: 'skipped', reason, status, ...(target !== undefined && { target }) },
  });
  const refusal = queued.isStart && rules.scope.refusal(queued.url);
  if (refusal) return skipped(refusal);
  if (content.noindex) return skipped('noindex');
  const canonical = queued.isOrphaned ? undefined : canonicalOf(content, queued, rules);
  if (canonical !== undefined) {
    const { url: foundOn, depth, isLeaf } = queued;
    const standIn = { url: canonical, depth, foundOn, isTarget: true, ...(isLeaf && { isLeaf }) };
    return skipped('canonical', [standIn], canonical);
  }
  if (content.blocks.length === 0) return skipped('empty');
  if (isSoftNotFound(content)) return skipped('soft_404');
  return { ...seen, found, content, validators, status };
}

const linksOf = ({ links, refresh }: PageContent): PageContent['links'] =>
  refresh ? [{ href: refresh.url, nofollow: false }, ...links] : links;

/** The links on a page that lead to pages of the site. */
function followed(
  links: PageContent['links'],
  { url: foundOn, depth, isLeaf }: QueuedUrl,
  { scope, isListed }: VisitRules,
): readonly FoundUrl[] {
  if (isListed || isLeaf) return [];
  return links.flatMap(({ href, nofollow }, place) => {
    const url = nofollow ? undefined : scope.onSite(href);
    return url === undefined ? [] : [{ url, depth: depth + 1, foundOn, place }];
  });
}

/** The page that a page names in its stead; one that this crawl does not visit cannot stand for it. */
function canonicalOf(
  { canonical }: PageContent,
  { url }: QueuedUrl,
  { scope, isListed }: VisitRules,
): string | undefined {
  const named = canonical === undefined ? undefined : scope.onSite(canonical);
  if (named === undefined || named === url || isListed?.(named) === false) return undefined;
  return scope.refusal(named) === undefined ? named : undefined;
}
