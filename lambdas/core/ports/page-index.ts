import type { LabelledTerm } from '../language/labels.ts';
import type { QueryTerm } from '../language/query-terms.ts';
import type { TermsByPosition } from '../language/terms.ts';
import type { SiteStatistics } from '../search/bm25.ts';
import type { Features } from '../search/ranking.ts';
import type { EmbeddedText } from './embedder.ts';
import type { Listing } from './table.ts';

/** A term that occurs more often in a chunk has this frequency. */
export const MAX_TERM_FREQUENCY = 255;
/** Candidates of a `PageGroup`: this many by words and as many by vector. */
export const MAX_GROUP_CANDIDATES = 200;

export type PageRef = { readonly siteId: string; readonly generation: number; readonly urlHash: string };

export type IndexedChunk = {
  /** Position in the page, from 0. */
  readonly ord: number;
  /** The terms of title, headings and text (core/language/terms.ts). */
  readonly terms: TermsByPosition;
  /** Distinct terms of headings and of names that the text defines (core/language/labels.ts); all are in `terms`. */
  readonly labelled: readonly LabelledTerm[];
  readonly headings: readonly string[];
  readonly text: string;
  /** Share of the text that is link text, 0 to 1 in steps of 0.01. */
  readonly linkShare: number;
  readonly embedded?: EmbeddedText | undefined;
};

/** A page as it is indexed, with at most 1,000 chunks. */
export type IndexEntry = PageRef & {
  readonly revision: number;
  readonly url: string;
  /** Other URLs of the page, at most 100: the filter by URL looks at them. */
  readonly aliases: readonly string[];
  readonly title: string;
  readonly titleTerms: readonly string[];
  /** Number of distinct title terms that count (core/language/query-terms.ts). */
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
  readonly chunks: readonly IndexedChunk[];
};

/** The pages of one generation of a site. Every query names its scopes and reads no other pages. */
export type SiteScope = { readonly siteId: string; readonly generation: number };

export type PageFilter =
  | { readonly field: 'tags' | 'language' | 'facts'; readonly anyOf: readonly string[] }
  /** Both bounds are included; values are compared as strings. */
  | { readonly field: 'publishedAt' | 'facts'; readonly from: string; readonly to: string }
  /** Pages of which the URL or an alias, or the path and query of one, starts with one of these. */
  | { readonly field: 'url'; readonly urlPrefixes: readonly string[]; readonly pathPrefixes: readonly string[] }
  /** Holds if one of these holds. */
  | { readonly field: 'any'; readonly of: readonly PageFilter[] };

/** Pages that have one of the tags or prefixes, or with `inside: false` all other pages. */
export type PageGroup = {
  readonly inside: boolean;
  readonly tags: readonly string[];
  readonly urlPrefixes: readonly string[];
  /** Prefixes of a URL's path and query. */
  readonly pathPrefixes: readonly string[];
};

/** What a query searches of one site. Sites differ in their metadata schemas and boosts. */
export type SearchScope = SiteScope & {
  /** All must hold. */
  readonly filters?: readonly PageFilter[];
  /** Each group gets candidates of its own, so that a boost can raise pages that are not among the first `limit`. */
  readonly groups?: readonly PageGroup[];
};

/** Adjacent words of a chunk (with title and headings) in this order; each word is a list of alternative terms. */
export type Phrase = readonly (readonly string[])[];

export type CandidateQuery = {
  /** Distinct sites, at least one. */
  readonly scopes: readonly [SearchScope, ...SearchScope[]];
  /** At most 32. Arrays of the answer are indexed by these terms. */
  readonly terms: readonly QueryTerm[];
  readonly vector?: Float32Array | undefined;
  /** Only pages that contain all of these. A single word is a phrase too. At most 8. */
  readonly requiredPhrases: readonly Phrase[];
  /** Only pages that contain none of these. At most 8. */
  readonly excludedPhrases: readonly Phrase[];
  /**
   * At most this many pages by words and as many by vector; up to 1,000. Of several sites the best of all of them, by
   * their share of the highest score that words can have in their site, and by cosine; an engine may answer more.
   */
  readonly limit: number;
};

/** The ranking features of a chunk. */
export type CandidateChunk = Pick<
  Features,
  'cosine' | 'frequencies' | 'phrase' | 'length' | 'labelLengths' | 'linkShare'
> & { readonly ord: number };

export type PageCandidate = PageRef &
  Pick<Features, 'inTitle' | 'inPage' | 'titleLength' | 'block'> & {
    readonly url: string;
    readonly language?: string | undefined;
    readonly tags: readonly string[];
    readonly facts: readonly string[];
    /** Holds at least the best chunk of each way in which the page was found, by words or by vector. */
    readonly chunks: readonly CandidateChunk[];
  };

export type Candidates = {
  /**
   * By siteId. Where `typos` is true, the site does not have the term, and its counts are those of similar words: one
   * edit away, or two from nine letters on.
   */
  readonly statistics: ReadonlyMap<string, SiteStatistics & { readonly typos: readonly boolean[] }>;
  readonly pages: readonly PageCandidate[];
  /** More pages contain one of the words than `limit`. */
  readonly hasMore: boolean;
};

export type PassageRef = PageRef & { readonly ord: number };

export type Passage = Omit<IndexEntry, 'chunks' | 'titleTerms' | 'titleLength'> & {
  readonly ord: number;
  readonly headings: readonly string[];
  readonly text: string;
};

export type FacetField =
  | { readonly name: string; readonly field: 'tags' | 'language' }
  /** Facts that start with the prefix; values are reported without it. */
  | { readonly name: string; readonly field: 'facts'; readonly prefix: string };

export type FacetCounts = {
  readonly name: string;
  /** Ordered by falling count, then by value; at most `limit`. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** Smallest and largest value, compared as strings; absent if there is no value. */
  readonly range?: readonly [least: string, greatest: string];
};

/** When a write is visible: `now` to every search that begins after the answer, `soon` to every search within 5 s. */
export type Visibility = 'now' | 'soon';

/**
 * The search index. It is derived from page registry and page store and can be rebuilt from them. Ranking features
 * are exact, cosines within 0.001; statistics count the chunks of the scope alone, never those of other sites.
 * Methods throw `UnavailableError` (core/errors.ts).
 */
export interface PageIndex {
  /** Replaces whole pages, each atomically. Ignores an entry of a lower revision than the indexed one. */
  put(entries: readonly IndexEntry[], options: { readonly visible: Visibility }): Promise<void>;

  /** Removes pages unless a newer revision is indexed. Absent pages are ignored. */
  remove(
    pages: readonly (PageRef & { readonly revision: number })[],
    options: { readonly visible: Visibility },
  ): Promise<void>;

  /** Removes up to `limit` of a site's pages in generations below `generation`. Answers whether none is left. */
  removeBelow(siteId: string, generation: number, limit: number): Promise<boolean>;

  /** Makes all earlier writes, of any process, visible to every search that begins after the answer. */
  refresh(): Promise<void>;

  /** The best pages by words and by vector, with the features that ranking needs. Reads no text. */
  candidates(query: CandidateQuery): Promise<Candidates>;

  /** One result per chunk, in the order of `refs`; undefined for a chunk that is no longer indexed. */
  passages(refs: readonly PassageRef[]): Promise<readonly (Passage | undefined)[]>;

  facets(query: {
    readonly scopes: readonly [Omit<SearchScope, 'groups'>, ...Omit<SearchScope, 'groups'>[]];
    readonly fields: readonly FacetField[];
    readonly limit: number;
  }): Promise<readonly FacetCounts[]>;

  /** Pages whose title or URL contains the text in any case, ordered by URL. `after` is a listing's `next`, a URL. */
  find(
    scope: SiteScope,
    query: { readonly text: string; readonly limit: number; readonly after?: string },
  ): Promise<Listing<Pick<IndexEntry, 'url' | 'urlHash' | 'title'>>>;
}
