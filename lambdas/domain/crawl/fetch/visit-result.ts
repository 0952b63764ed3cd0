import type { ContentSelection } from '../../../text/extraction/content-selection.ts';
import type { SourcedFields } from '../../../text/fields/field-source.ts';
import type { PageContent } from '../../../text/page-content.ts';
import type { Robots } from '../../../text/web/robots.ts';
import { normaliseUrl, originOf, pathOf, urlHash } from '../../../text/web/url.ts';
import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { FetchFailure, FetchResult } from '../../ports/page-fetcher.ts';
import type { UrlFilter } from '../frontier/url-filter.ts';
import type { Reason } from '../jobs/outcomes.ts';
import type { Refusal } from '../jobs/refusal.ts';
import type { Ending, FoundUrl, NextTry, QueuedUrl } from '../jobs/url-rows.ts';

export type Visit = {
  readonly queued: QueuedUrl;
  readonly fetched: boolean;
  /** The server answered with 200 or 304. */
  readonly answered: boolean;
  readonly found: readonly FoundUrl[];
  /** The site has moved within its domain: this is its base URL from now on. */
  readonly movedTo?: string;
  /** The server is overloaded: the next fetches come later and more slowly. */
  readonly slowsDown?: true;
  readonly refusal?: Refusal;
} & (Ended | FoundPage | NotModified | Postponed);

export type Ended = { readonly ending: Ending };

/** A page with content: it ends as indexed, unchanged, duplicate or ingested. */
export type FoundPage = Answer & {
  readonly content: PageContent;
  /** A browser read the page after its scripts had run. */
  readonly isRendered?: boolean;
};

/** The page has not changed, by the server's word or by the hash of its answer: its stored content is read again. */
export type NotModified = Answer & { readonly stored: RegisteredPage; readonly robotsTag: string | undefined };

type Answer = { readonly validators: Validators; readonly status: 200 | 304 };

export type Postponed = { readonly next: NextTry };

/** Two for the server (RFC 9110, 13.1), and the hash of its answer for servers without them. */
export type Validators = Pick<RegisteredPage, 'etag' | 'lastModified' | 'answerHash'>;

export type VisitRules = {
  readonly filter: UrlFilter;
  /** Undefined if the site's settings ignore robots.txt. */
  readonly robots: Robots | undefined;
  readonly fields: SourcedFields;
  readonly selection: ContentSelection;
  /** Set for a job with a URL list: no links are followed, and canonicals only to listed URLs. */
  readonly isListed?: (url: string) => boolean;
};

export const MOST_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
export const isRedirect = (status: number): boolean => REDIRECTS.has(status);

/** `aborted` happens only when the slice ends, and the visit is then dropped. */
export const failureReason = (reason: FetchFailure): Reason<'failed'> => (reason === 'aborted' ? 'timeout' : reason);

export function redirectTarget(result: FetchResult, url: string): string | undefined {
  if (result.kind === 'failure' || !isRedirect(result.status)) return undefined;
  return result.headers.location === undefined ? undefined : normaliseUrl(result.headers.location, url);
}

type Redirection = Pick<Visit, 'found' | 'movedTo'> & { readonly ending: Ending };

export function redirected(queued: QueuedUrl, location: string | undefined, status: number, rules: VisitRules): Visit {
  const target = location === undefined ? undefined : normaliseUrl(location, queued.url);
  const seen = { queued, fetched: true, answered: false };
  if (target === undefined) return { ...seen, found: [], ending: { outcome: 'failed', reason: 'bad_content', status } };
  return { ...seen, ...redirection(target, queued, rules, status) };
}

/** What follows from a redirect to `target`. A chain that is too long, or returns to an earlier URL, is a loop. */
export function redirection(target: string, queued: QueuedUrl, rules: VisitRules, status: number): Redirection {
  const via = [...(queued.via ?? []), queued.urlHash];
  if (via.length > MOST_REDIRECTS || via.includes(urlHash(target)))
    return { found: [], ending: { outcome: 'failed', reason: 'redirect_loop', status } };
  const movedTo = newBaseUrl(target, queued, rules);
  const isStart = queued.isStart && (movedTo !== undefined || originOf(target) === rules.filter.origin);
  return {
    found: [
      {
        ...{ url: target, depth: queued.depth, foundOn: queued.url, via, isTarget: true },
        ...(isStart && { isStart }),
        ...(queued.isLeaf && { isLeaf: true }),
      },
    ],
    ending: { outcome: 'skipped', reason: 'redirect', status, target },
    ...(movedTo !== undefined && { movedTo }),
  };
}

/**
 * A site has moved if its start page redirects to the same host with another scheme, or with or without `www.`. Any
 * other origin may belong to somebody else. A URL list has no start page: there the redirect must keep the path too.
 */
function newBaseUrl(target: string, queued: QueuedUrl, { filter, isListed }: VisitRules): string | undefined {
  if (originOf(target) === filter.origin || !isSameHost(target, filter.baseUrl)) return undefined;
  if (queued.isStart) return target;
  const isWholeMove = pathOf(target) === pathOf(queued.url);
  return isListed && isWholeMove ? `${originOf(target)}${pathOf(filter.baseUrl)}` : undefined;
}

/** Whether two URLs on default ports have the same host, but for a `www.`. */
function isSameHost(a: string, b: string): boolean {
  const [first, second] = [URL.parse(a), URL.parse(b)];
  return first?.port === '' && second?.port === '' && bareHost(first) === bareHost(second);
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '');
