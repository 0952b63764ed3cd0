import type { ContentSelection } from '../../../text/extraction/content-selection.ts';
import type { SourcedFields } from '../../../text/fields/field-source.ts';
import type { PageContent } from '../../../text/page-content.ts';
import type { Robots } from '../../../text/web/robots.ts';
import { normaliseUrl } from '../../../text/web/url.ts';
import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { FetchFailure, FetchResult } from '../../ports/page-fetcher.ts';
import type { UrlFilter } from '../frontier/url-filter.ts';
import type { Reason } from '../jobs/outcomes.ts';
import type { StartRefusal } from '../jobs/refusal.ts';
import type { Ending, FoundUrl, NextTry, QueuedUrl } from '../jobs/url-rows.ts';

export type Visit = {
  readonly queued: QueuedUrl;
  readonly fetched: boolean;
  /** Whether the server answered with 200 or 304. */
  readonly answered: boolean;
  readonly found: readonly FoundUrl[];
  /** The site's new base URL, if it has moved within its domain. */
  readonly movedTo?: string;
  /** Set if the server is overloaded: the next fetches come later and more slowly. */
  readonly slowsDown?: true;
  readonly refusal?: StartRefusal;
} & (Ended | FoundPage | NotModified | Postponed);

export type Ended = { readonly ending: Ending };

/** A page with content, which ends as indexed, unchanged, duplicate or ingested. */
export type FoundPage = Answer & {
  readonly content: PageContent;
  /** Whether a browser read the page after its scripts had run. */
  readonly isRendered?: boolean;
};

/** A page that is unchanged by the server's word or by the hash of its answer. Its stored content is read again. */
export type NotModified = Answer & { readonly stored: RegisteredPage; readonly robotsTag: string | undefined };

type Answer = { readonly validators: Validators; readonly status: 200 | 304 };

export type Postponed = { readonly next: NextTry };

/** Two validators for the server (RFC 9110, 13.1), and the answer's hash for servers without them. */
export type Validators = Pick<RegisteredPage, 'etag' | 'lastModified' | 'answerHash'>;

export type VisitRules = {
  readonly filter: UrlFilter;
  /** Undefined if the site's settings ignore robots.txt. */
  readonly robots: Robots | undefined;
  readonly fields: SourcedFields;
  readonly selection: ContentSelection;
  /** Set for a job with a URL list: links are not followed, and canonicals only to listed URLs. */
  readonly isListed?: (url: string) => boolean;
};

export const MAX_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
export const isRedirect = (status: number): boolean => REDIRECTS.has(status);

/** Returns the outcome's reason. `aborted` occurs only when the slice ends, and the visit is then dropped. */
export const failureReason = (reason: FetchFailure): Reason<'failed'> => (reason === 'aborted' ? 'timeout' : reason);

export function redirectTarget(result: FetchResult, url: string): string | undefined {
  if (result.kind === 'failure' || !isRedirect(result.status)) return undefined;
  return result.headers.location === undefined ? undefined : normaliseUrl(result.headers.location, url);
}
