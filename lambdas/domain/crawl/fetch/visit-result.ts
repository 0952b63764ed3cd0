import type { ContentSelection } from '../../../text/extraction/content-selection.ts';
import type { SourcedFields } from '../../../text/fields/field-source.ts';
import type { PageContent } from '../../../text/page-content.ts';
import type { Robots } from '../../../text/web/robots.ts';
import { normaliseUrl } from '../../../text/web/url.ts';
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
