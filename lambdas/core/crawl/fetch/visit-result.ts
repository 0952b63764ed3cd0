import type { SourcedFields } from '../../content/fields/field-source.ts';
import type { PageContent } from '../../content/page-content.ts';
import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { Robots } from '../../web/robots.ts';
import type { Ending, FoundUrl, NextTry, QueuedUrl } from '../frontier/frontier-rows.ts';
import type { UrlFilter } from '../frontier/url-filter.ts';

export type Visit = {
  readonly queued: QueuedUrl;
  readonly fetched: boolean;
  /** With 200 or 304. */
  readonly answered: boolean;
  readonly found: readonly FoundUrl[];
  /** The site has moved within its domain: this is its base URL from now on. */
  readonly movedTo?: string;
  /** The server is overloaded: for a while, or for longer than a crawl waits. */
  readonly load?: 'busy' | 'closed';
} & (Ended | FoundPage | NotModified | Postponed);

export type Ended = { readonly ending: Ending };

/** A page with content: it ends as indexed, unchanged, duplicate or ingested. */
export type FoundPage = Answer & { readonly content: PageContent };

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
  /** Set for a job with a URL list: no links are followed, and canonicals only to listed URLs. */
  readonly isListed?: (url: string) => boolean;
};
