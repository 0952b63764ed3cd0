import { createHash } from 'node:crypto';
import { EXTRACTION_VERSION } from '../../../text/extraction/extraction-version.ts';
import { isSoftNotFound } from '../../../text/extraction/soft-404.ts';
import type { Unreadable } from '../../../text/fetched-page.ts';
import type { PageContent } from '../../../text/page-content.ts';
import { robotsHeader } from '../../../text/web/robots-header.ts';
import { normaliseUrl } from '../../../text/web/url.ts';
import { pageKey, type RegisteredPage } from '../../pages/page-registry.ts';
import type { PageStore, StoredPage } from '../../ports/page-store.ts';
import type { Table } from '../../ports/table.ts';
import type { CrawlJob } from '../jobs/job.ts';
import type { FoundUrl, QueuedUrl } from '../jobs/url-rows.ts';
import {
  type Ended,
  type FoundPage,
  type NotModified,
  redirection,
  type Validators,
  type Visit,
  type VisitRules,
} from './visit-result.ts';

/** A meta refresh of at most this many seconds is a redirect, a slower one a link. */
const REFRESH_IS_REDIRECT = 5;

type Read = Visit & (Ended | FoundPage);
type Headers = Readonly<Record<string, string>>;

/** SHA-256 of everything that a page is read from. */
export function answerHash(headers: Headers, body: Uint8Array): string {
  const read = JSON.stringify([headers['content-type'], headers['x-robots-tag']]);
  return createHash('sha256').update(read).update(body).digest('base64url');
}

/** The validators of a response that are short enough to be stored. */
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

/** Classifies a page that answered 200; `content` is undefined if it is of another type, or says why it has no text. */
export function readAnswer(
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

/** Reads the stored content of an unchanged page as if the server had sent it. */
function rereadStored(
  { queued, validators, status, robotsTag }: Visit & NotModified,
  { url, metadata, filled, ...content }: StoredPage,
  rules: VisitRules,
): Read {
  return readContent(queued, withHeader(content, robotsTag), { validators, status }, rules);
}

const answered = (queued: QueuedUrl) => ({ queued, fetched: true, answered: true, found: [] });

/** The header's directives are stored with those of the page, because a 304 does not repeat them. */
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
    ending: { outcome: 'skipped', reason, status, ...(target !== undefined && { target }) },
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

/** The canonical that a page names, if it is another URL that this crawl visits. */
function canonicalOf(
  { canonical }: PageContent,
  { url }: QueuedUrl,
  { filter, isListed }: VisitRules,
): string | undefined {
  const named = canonical === undefined ? undefined : filter.onSite(canonical);
  if (named === undefined || named === url || isListed?.(named) === false) return undefined;
  return filter.refusal(named) === undefined ? named : undefined;
}

/** The site's pages for these URLs, by URL hash, as far as they can be revalidated. */
export async function storedPages(
  urls: readonly QueuedUrl[],
  { siteId, generation }: Pick<CrawlJob, 'siteId' | 'generation'>,
  table: Table,
): Promise<ReadonlyMap<string, RegisteredPage>> {
  const rows = await table.getMany<RegisteredPage>(urls.map((queued) => pageKey(siteId, generation, queued)));
  return new Map(rows.flatMap((row) => (row && canRevalidate(row) ? [[row.urlHash, row] as const] : [])));
}

const canRevalidate = ({ source, pending, extraction }: RegisteredPage): boolean =>
  source === 'crawl' && !pending && extraction === EXTRACTION_VERSION;

/** Turns visits of unchanged pages into visits with the stored content. If it is lost, the URL is fetched again. */
export async function withStoredPages(
  visits: readonly Visit[],
  { siteId, generation }: Pick<CrawlJob, 'siteId' | 'generation'>,
  rules: VisitRules,
  pageStore: PageStore,
): Promise<readonly Visit[]> {
  const unchanged = visits.flatMap((visit) => ('stored' in visit ? [visit] : []));
  if (unchanged.length === 0) return visits;
  const pages = await pageStore.get(
    unchanged.map(({ stored: { urlHash, revision } }) => ({ siteId, generation, urlHash, revision })),
  );
  const reread = new Map<Visit, Visit>();
  for (const [index, visit] of unchanged.entries()) {
    const page = pages[index];
    reread.set(visit, page ? rereadStored(visit, page, rules) : withoutText(visit));
  }
  return visits.map((visit) => reread.get(visit) ?? visit);
}

function withoutText({ queued }: Visit): Visit {
  const next = { tries: queued.tries ?? 0, notBefore: 0, isUnconditional: true };
  return { queued, fetched: true, answered: false, found: [], next };
}
