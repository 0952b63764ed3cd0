import type { ContentSelection } from './extraction/content-selection.ts';
import type { FieldSource } from './fields/field-source.ts';

export type FetchedPage = {
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  /** Where the site's metadata fields come from. */
  readonly sources?: readonly FieldSource[];
  /** The site owner's settings for the content of pages. */
  readonly selection?: ContentSelection;
};

/** The reason why a document has no readable text. */
export type Unreadable =
  /** It needs a password. */
  | 'encrypted'
  /** It has only images of pages, no text. */
  | 'scanned'
  | 'broken_pdf';
