import type { PageContent } from '../../content/page-content.ts';
import type { RegisteredPage } from '../../pages/page-registry.ts';
import type { Robots } from '../../web/robots.ts';
import type { Ending, FoundUrl, NextTry, QueuedUrl } from '../frontier/frontier-rows.ts';
import type { UrlFilter } from '../frontier/url-filter.ts';

/** What came of asking for one queued URL. */
export type Visit = {
  readonly queued: QueuedUrl;
  /** Whether a request was made, and whether it was answered 200 or 304. */
  readonly fetched: boolean;
  readonly answered: boolean;
  readonly found: readonly FoundUrl[];
  /** The site has moved within its domain: its base URL from now on. */
  readonly movedTo?: string;
  /** The server has too much to do: for a while, or for longer than a crawl waits. */
  readonly load?: 'busy' | 'closed';
} & (Ended | FoundPage | NotModified | Postponed);

export type Ended = { readonly ending: Ending };

/** A page to index, its outcome still open between indexed, unchanged and duplicate. */
export type FoundPage = Answer & { readonly content: PageContent };

/** The page is the one that the site holds, as the server says or as its answer shows: what was kept of it is read again. */
export type NotModified = Answer & { readonly held: RegisteredPage; readonly robotsTag: string | undefined };

type Answer = { readonly validators: Validators; readonly status: 200 | 304 };

/** To be asked for again later. */
export type Postponed = { readonly next: NextTry };

/** What tells at the next request whether a page has changed: the first two to the server (RFC 9110, 13.1), the hash of its answer to us. */
export type Validators = Pick<RegisteredPage, 'etag' | 'lastModified' | 'answerHash'>;

export type VisitRules = {
  readonly scope: UrlFilter;
  /** Undefined when the site wants its robots.txt ignored. */
  readonly robots: Robots | undefined;
  /** Of a job that was given its URLs: it follows no links, and a canonical only to one of these. */
  readonly isListed?: (url: string) => boolean;
};
