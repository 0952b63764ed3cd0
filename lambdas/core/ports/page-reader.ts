import type { PageContent } from '../content/page-content.ts';

/** What a server sent for a page, unpacked. */
export type FetchedPage = {
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
};

/** Reads pages, which may take a while. Several may be given at once. */
export interface PageReader {
  /** What a page holds; undefined if it is neither HTML nor text. Rejects if the page cannot be read, by its own fault. */
  read(page: FetchedPage): Promise<PageContent | undefined>;
}
