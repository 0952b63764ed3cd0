import type { EmbeddedText } from './embedder.ts';
import type { IndexReader } from './index-reader.ts';

/** The pages of one generation of a site. Every query names its scopes and reads no other pages. */
export type SiteScope = { readonly siteId: string; readonly generation: number };
export type PageRef = SiteScope & { readonly urlHash: string };

/** A page as it is indexed, with at most 1,000 chunks and 9 MB. Terms are stemmed words, ready to be compared. */
export type IndexEntry = PageRef & {
  readonly revision: number;
  readonly url: string;
  /** Other URLs of the page, at most 100. The filter by URL also matches them. */
  readonly aliases: readonly string[];
  readonly title: string;
  readonly titleTerms: readonly string[];
  /** The words of `spellings` that are in the title. */
  readonly titleSpellings: readonly string[];
  /** Number of distinct title terms, without question words. */
  readonly titleLength: number;
  readonly language?: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  /**
   * Filter terms `s:name=value`, `n:name=…`, `d:name=…`. Numbers and dates are encoded so that they sort as strings.
   */
  readonly facts: readonly string[];
  /** The owner's metadata as JSON. Returned with results, not searched. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** ISO 8601, like `crawledAt`. */
  readonly publishedAt?: string;
  readonly crawledAt: string;
  /** The distinct words of the page, folded but not stemmed. Identifiers are not split. */
  readonly spellings: readonly string[];
  readonly chunks: readonly IndexedChunk[];
  /** Whether the page is longer than its chunks. The rest is not found. */
  readonly truncated?: boolean;
};

export type IndexedChunk = {
  /** Position in the page, from 0. */
  readonly ord: number;
  /** The terms of title, headings, text and `searchOnlyText`, by position: one term, or an identifier and its parts. */
  readonly terms: readonly (readonly string[])[];
  /**
   * The terms of the chunk's labels (headings, and names that the text defines), each with the length of the shortest
   * label, 1 to 15.
   */
  readonly labelled: readonly { readonly term: string; readonly length: number }[];
  readonly headings: readonly string[];
  readonly text: string;
  /** Text that is only searched: its words are in `terms`, but it is not stored and no passage shows it. */
  readonly searchOnlyText?: string;
  /**
   * The sections of the text, each under a heading with an anchor. `line`: the first line, counted from 0 without empty
   * lines.
   */
  readonly sections: readonly { readonly line: number; readonly heading: string; readonly anchor: string }[];
  /** Share of the text that is link text, 0 to 1 in steps of 0.01. */
  readonly linkShare: number;
  readonly embedded?: EmbeddedText | undefined;
};

/** When a write is visible: `now` to every search that begins after the answer, `soon` to every search within 5 s. */
export type Visibility = 'now' | 'soon';

/**
 * The search index. It is derived from page registry and page store and can be rebuilt from them. Methods throw
 * `UnavailableError` (domain/errors.ts).
 */
export interface PageIndex extends IndexReader, PageRemover {
  /** Replaces whole pages, each atomically. Ignores an entry with a lower revision than the indexed one. */
  put(entries: readonly IndexEntry[], options: { readonly visible: Visibility }): Promise<void>;

  /** Removes pages unless a newer revision is indexed. Absent pages are ignored. */
  remove(
    pages: readonly (PageRef & { readonly revision: number })[],
    options: { readonly visible: Visibility },
  ): Promise<void>;

  /** Makes all earlier writes of any process visible to every search that begins after the answer. */
  refresh(): Promise<void>;
}

/** The part of the index that a clean-up needs. */
export interface PageRemover {
  /** Removes up to `limit` of a site's pages in generations below `generation`. Returns whether none is left. */
  removeBelow(siteId: string, generation: number, limit: number): Promise<boolean>;
}
