import type { EmbeddedText } from './embedder.ts';
import type { IndexReader } from './index-reader.ts';

/** The pages of one generation of a site. Every query names its scopes and reads no other pages. */
export type SiteScope = { readonly siteId: string; readonly generation: number };
export type PageRef = SiteScope & { readonly urlHash: string };

/** A page as it is indexed, with at most 1,000 chunks and 9 MB. Terms are stemmed words, ready to be compared. */
export type IndexEntry = PageRef & {
  readonly revision: number;
  readonly url: string;
  /** Other URLs of the page, at most 100: the filter by URL looks at them. */
  readonly aliases: readonly string[];
  readonly title: string;
  readonly titleTerms: readonly string[];
  /** Those of `spellings` that are in the title. */
  readonly titleSpellings: readonly string[];
  /** Number of distinct title terms, without question words. */
  readonly titleLength: number;
  readonly language?: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  /** Filter terms `s:name=value`, `n:name=…`, `d:name=…`, in which numbers and dates are encoded to sort as strings. */
  readonly facts: readonly string[];
  /** The owner's metadata as JSON; returned with results, not searched. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** ISO 8601, as `crawledAt`. */
  readonly publishedAt?: string;
  readonly crawledAt: string;
  /** The distinct words of the page, folded but not stemmed; identifiers only whole. */
  readonly spellings: readonly string[];
  readonly chunks: readonly IndexedChunk[];
  /** The page is longer: what follows its last chunk is not found. */
  readonly truncated?: boolean;
};

export type IndexedChunk = {
  /** Position in the page, from 0. */
  readonly ord: number;
  /** The terms of title, headings, text and `searchOnlyText`, by position: one, or an identifier and its parts. */
  readonly terms: readonly (readonly string[])[];
  /** The terms of its labels: headings, and names that the text defines; each with the length of the shortest, 1 to 15. */
  readonly labelled: readonly { readonly term: string; readonly length: number }[];
  readonly headings: readonly string[];
  readonly text: string;
  /** Not stored: its words are in `terms`, and no passage shows it. */
  readonly searchOnlyText?: string;
  /** From which line on, counted from 0 without empty ones, the text belongs to a heading with an anchor. */
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
  /** Replaces whole pages, each atomically. Ignores an entry of a lower revision than the indexed one. */
  put(entries: readonly IndexEntry[], options: { readonly visible: Visibility }): Promise<void>;

  /** Removes pages unless a newer revision is indexed. Absent pages are ignored. */
  remove(
    pages: readonly (PageRef & { readonly revision: number })[],
    options: { readonly visible: Visibility },
  ): Promise<void>;

  /** Makes all earlier writes, of any process, visible to every search that begins after the answer. */
  refresh(): Promise<void>;
}

/** What a clean-up needs of the index. */
export interface PageRemover {
  /** Removes up to `limit` of a site's pages in generations below `generation`. Answers whether none is left. */
  removeBelow(siteId: string, generation: number, limit: number): Promise<boolean>;
}
