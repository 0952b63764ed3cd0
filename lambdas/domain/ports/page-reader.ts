import type { ContentSelection } from '../content/extraction/content-selection.ts';
import type { FieldSource } from '../content/fields/field-source.ts';
import type { PageContent } from '../content/page-content.ts';

export type FetchedPage = {
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  /** Where the site's metadata fields come from. */
  readonly sources?: readonly FieldSource[];
  /** What the site's owner has set about the content of its pages. */
  readonly selection?: ContentSelection;
};

/** Why a document has no text that can be read. */
export type Unreadable =
  /** It opens with a password only. */
  | 'encrypted'
  /** It has no letters, only pictures of pages. */
  | 'scanned'
  | 'broken_pdf';

/** Extracts the content of fetched pages. Any number of calls may run at once. */
export interface PageReader {
  /** Undefined for a page that is neither HTML, text nor PDF. Rejects if this page cannot be read or takes too long. */
  read(page: FetchedPage): Promise<PageContent | Unreadable | undefined>;
}
