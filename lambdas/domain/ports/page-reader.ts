import type { FetchedPage, Unreadable } from '../../text/fetched-page.ts';
import type { PageContent } from '../../text/page-content.ts';

/** Extracts the content of fetched pages. Any number of calls may run at once; organisations take turns. */
export interface PageReader {
  /**
   * Returns the content; undefined for a page that is neither HTML, text nor PDF. Rejects if the page cannot be read or
   * takes too long, with a `DeadlyPageError` (domain/errors.ts) if it ended the thread that read it three times.
   */
  read(page: FetchedPage, orgId?: string): Promise<PageContent | Unreadable | undefined>;
}
