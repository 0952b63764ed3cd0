import type { SourceValues } from './fields/source-values.ts';

/**
 * A part of a page's main content. `code` keeps its white space. A `list` has two spaces before a line for each level
 * of nesting, and before the explanation of a term. A `table` has one line for each row and ` | ` between cells.
 * `linked` is the number of characters inside links, if there are any.
 */
export type Block =
  | {
      readonly kind: 'heading';
      readonly level: 1 | 2 | 3 | 4 | 5 | 6;
      readonly text: string;
      readonly anchor?: string;
      /** The page of a PDF, from 1. */
      readonly page?: number;
    }
  | {
      readonly kind: 'text' | 'list' | 'code' | 'table';
      readonly text: string;
      readonly linked?: number;
      /** The line of a table that names its columns, counted from 0. */
      readonly head?: number;
      readonly page?: number;
      /** Searched, but never shown: not in a snippet, a summary, a tag or an answer. */
      readonly isSearchOnly?: true;
    };

/** Returns the blocks that may be shown. */
export const shownBlocks = (blocks: readonly Block[]): readonly Block[] =>
  blocks.filter((block) => !('isSearchOnly' in block));

/** A link as an absolute http or https URL, not yet normalised. */
export type Link = { readonly href: string; readonly nofollow: boolean };

/** A page as it is stored and indexed: its main content in reading order, and its metadata. */
export type PageContent = {
  /**
   * The title; without one, the first heading, else the address, or the first line of a text. Empty only without
   * blocks.
   */
  readonly title: string;
  readonly description?: string;
  /** The primary subtag in lower case, as in `en`. */
  readonly language?: string;
  /** ISO 8601: a date, or a date and time with its offset. */
  readonly publishedAt?: string;
  readonly tags: readonly string[];
  readonly blocks: readonly Block[];
  /** The page is a PDF, and only its first pages were read. */
  readonly isCut?: true;
  /** The links of the whole page, navigation included: at most 1,000, in order, each once. */
  readonly links: readonly Link[];
  readonly canonical?: string;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly refresh?: { readonly seconds: number; readonly url: string };
  /** Absent from pages that were stored before extraction version 8. */
  readonly sourceValues?: SourceValues;
  /**
   * The content as Markdown, at most 1 MB. Absent from PDFs and plain text, whose blocks say as much, and from pages
   * that were stored before extraction version 16.
   */
  readonly markdown?: string;
  /** The page was Markdown: `markdown` is what was sent. */
  readonly isMarkdown?: true;
};

/** Returns the whole main content as one string, with a blank line between blocks. */
export function plainText(content: Pick<PageContent, 'blocks'>): string {
  return content.blocks.map((block) => block.text).join('\n\n');
}
