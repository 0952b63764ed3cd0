/** A piece of text on a page of a PDF, in points from the upper left corner. */
export type PdfText = {
  readonly text: string;
  readonly x: number;
  /** The baseline of the letters. */
  readonly y: number;
  readonly width: number;
  /** Height of the letters. */
  readonly size: number;
  readonly isMonospaced: boolean;
  /** Identifies the font within the document. */
  readonly font: string;
};

export type PdfPage = {
  readonly width: number;
  readonly height: number;
  /** Horizontal text in the order of the file. */
  readonly texts: readonly PdfText[];
};

/** An entry of the document's outline (bookmarks). */
export type PdfBookmark = { readonly title: string; readonly level: number };

export type PdfDocument = {
  readonly pages: readonly PdfPage[];
  /** True if the file has more pages. */
  readonly isCut?: true;
  readonly outline: readonly PdfBookmark[];
  readonly title?: string | undefined;
  /** The date as written in the file: `D:20260131120000+01'00'`. */
  readonly created?: string | undefined;
  readonly language?: string | undefined;
};
