import type { ContentSelection } from './extraction/content-selection.ts';
import type { FieldSource } from './fields/field-source.ts';

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
