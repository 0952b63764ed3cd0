import type { EmbeddedText } from './embedder.ts';
import type { IndexEntry, IndexedChunk, PageRef, SiteScope } from './page-index.ts';
import type { Listing } from './table.ts';

/**
 * The reading half of the index, for searches. The features of candidates are exact, cosines within 0.001. Methods
 * throw `UnavailableError` (domain/errors.ts).
 */
export interface IndexReader {
  /** Returns the best pages by words and by vector, with the features that ranking needs. Reads no text. */
  candidates(query: CandidateQuery): Promise<Candidates>;

  /** Looks words up in the pages of all scopes. Returns one entry per word, in order. */
  vocabulary(query: { readonly scopes: Scopes; readonly words: readonly WordQuery[] }): Promise<readonly WordEntry[]>;

  /**
   * Returns pages by their titles, those with the fewest other words first. `withTypos`: no title has the words as
   * typed; the titles of `pages` then have, for a word, one that differs in one letter, and for the last word one of
   * its `similarCompletions`.
   */
  titled(query: TitleQuery): Promise<{ readonly pages: readonly TitledPage[]; readonly withTypos: boolean }>;

  /** Returns one passage per reference, in order; undefined for a chunk that is no longer indexed. */
  passages(refs: readonly PassageRef[]): Promise<readonly (Passage | undefined)[]>;

  /** Counts the pages with each value of the fields. */
  facets(query: {
    readonly scopes: Scopes<Omit<SearchScope, 'boosts'>>;
    readonly fields: readonly FacetField[];
    readonly limit: number;
  }): Promise<readonly FacetCounts[]>;

  /**
   * Returns pages whose title or URL contains the text, ignoring case, ordered by URL. `after` is a listing's `next`, a
   * URL.
   */
  find(
    scope: SiteScope,
    query: { readonly text: string; readonly limit: number; readonly after?: string },
  ): Promise<Listing<Pick<IndexEntry, 'url' | 'urlHash' | 'title' | 'revision'>>>;
}

export type PageFilter =
  | { readonly field: 'tags' | 'language' | 'facts'; readonly anyOf: readonly string[] }
  /** Both bounds are included. Values are compared as strings. */
  | { readonly field: 'publishedAt' | 'facts'; readonly from: string; readonly to: string }
  /** Matches pages if the URL or an alias, or the path and query of one, starts with one of these. */
  | { readonly field: 'url'; readonly urlPrefixes: readonly string[]; readonly pathPrefixes: readonly string[] }
  /** Matches pages that match one of these. */
  | { readonly field: 'any'; readonly of: readonly PageFilter[] };

/** The scope of a query within one site. Sites differ in their metadata schemas and boosts. */
export type SearchScope = SiteScope & {
  /** All filters must match. */
  readonly filters?: readonly PageFilter[];
  /** Factors of scores. A raised page can be among the best even if it is not without its boost. */
  readonly boosts?: {
    readonly tagBoosts: readonly { readonly tag: string; readonly boost: number }[];
    readonly urlBoosts: readonly { readonly urlPrefix: string; readonly boost: number }[];
  };
};
/** Distinct sites, at least one. */
type Scopes<Scope extends SiteScope = SiteScope> = readonly [Scope, ...Scope[]];

export type QueryTerm = {
  /** The word, folded but not stemmed. */
  readonly term: string;
  /** The word's stems in the languages of the site. A chunk that contains one of them contains the term. */
  readonly forms: readonly string[];
  /** Whether the word, such as "how" or "the", counts neither for nor against a page. */
  readonly question: boolean;
  /** Position in the query. An identifier and its parts share one. */
  readonly position: number;
  /** For a part of an identifier: the index of the whole identifier among the query's terms. */
  readonly wholeAt?: number;
};

/** Adjacent words of a chunk (with title and headings) in this order. Each word is a list of alternative terms. */
export type Phrase = readonly (readonly string[])[];

export type CandidateQuery = {
  readonly scopes: Scopes<SearchScope>;
  /** At most 32 terms. They index arrays in the answer. */
  readonly terms: readonly QueryTerm[];
  readonly vector?: Float32Array | undefined;
  /**
   * For each kind of vector, the cosines that mean unrelated and nearly the same, and the weight; absent: the usual
   * ones.
   */
  readonly scales?:
    | Readonly<Record<EmbeddedText['block'], { readonly low: number; readonly high: number; readonly weight: number }>>
    | undefined;
  /** Only pages that contain all of these phrases, at most 8. A single word is a phrase too. */
  readonly requiredPhrases: readonly Phrase[];
  /** Only pages that contain none of these phrases, at most 8. */
  readonly excludedPhrases: readonly Phrase[];
  /**
   * Number of best pages of all scopes, by score (domain/search/rank/ranking.ts) times boosts, at most 1,000. SQLite
   * misses none of them; OpenSearch may (aws/opensearch/search/candidate-search.ts).
   */
  readonly limit: number;
  /** Number of chunks of each page, at least 1. @default 1 */
  readonly chunksPerPage?: number;
  /** Pages with a lower score need not be returned. @default 0 */
  readonly minScore?: number;
  /**
   * Number of best pages after which an engine may only count those that reach `minScore`. @default all are returned
   */
  readonly first?: number;
};

export type Candidates = {
  /** Statistics by siteId. */
  readonly statistics: ReadonlyMap<string, SiteStatistics>;
  readonly pages: readonly PageCandidate[];
  /** Number of further pages that reach `minScore`, until there are `limit` in all. */
  readonly others: number;
};

/** Statistics of one site's chunks. Lengths are numbers of terms. */
export type SiteStatistics = {
  readonly chunks: number;
  readonly averageLength: number;
  /** By query term: number of chunks that contain one of its forms. */
  readonly documentFrequency: readonly number[];
};

/** A page with the features from which its score is computed. */
export type PageCandidate = PageRef &
  Pick<IndexEntry, 'url' | 'tags' | 'facts' | 'titleLength'> & {
    readonly language?: string | undefined;
    /** The kind of its vectors. */
    readonly block: EmbeddedText['block'];
    /** By query term: whether the title contains it. */
    readonly inTitle: readonly boolean[];
    /** At least the best chunk of each kind of evidence by which the page was found. */
    readonly chunks: readonly CandidateChunk[];
  };

export type CandidateChunk = {
  readonly ord: number;
  /** Absent without a vector. */
  readonly cosine?: number;
  /** Set if it differs from the page's: a page without a language may have passages in several. */
  readonly block?: EmbeddedText['block'];
  /** Number of terms, including those of title and headings. */
  readonly length: number;
  /** By query term: its frequency, at most `MAX_TERM_FREQUENCY`. */
  readonly frequencies: readonly number[];
  /** By query term: whether it is adjacent to another of the query's words, in their order. */
  readonly phrase: readonly boolean[];
  /** By query term: the length of the shortest label that contains it; 0 without one. */
  readonly labelLengths: readonly number[];
  readonly linkShare: number;
};
/** Upper bound of a term's frequency in a chunk. */
export const MAX_TERM_FREQUENCY = 255;

export type WordQuery = {
  /** The word, folded but not stemmed. */
  readonly word: string;
  /** The word's stems in the languages of the site. */
  readonly forms: readonly string[];
  /**
   * `similar`: words within the word's edit distance. `completions`: words that begin with it. `similarCompletions`:
   * words that begin almost so (its first 12 letters).
   */
  readonly find?: 'similar' | 'completions' | 'similarCompletions';
};

export type WordEntry = {
  /** Whether a page has a form of the word. */
  readonly isKnown: boolean;
  /** Number of pages with exactly this spelling; 0 without `find`. */
  readonly pages: number;
  /** Found words, most frequent first, at most `MAX_FOUND_WORDS`, without the word itself. */
  readonly found: readonly SpelledWord[];
};
/** A word as spelled in pages, and the number of those pages. */
export type SpelledWord = { readonly word: string; readonly pages: number };
export const MAX_FOUND_WORDS = 20;

/** Finds pages whose title has a form of each word. The last word may be the beginning of a longer one. */
export type TitleQuery = {
  readonly scopes: Scopes;
  readonly words: readonly Pick<WordQuery, 'word' | 'forms'>[];
  readonly limit: number;
};

export type TitledPage = Pick<IndexEntry, 'siteId' | 'url' | 'title'>;
export type PassageRef = PageRef & { readonly ord: number };

/** A chunk with its page. */
export type Passage = Omit<IndexEntry, 'chunks' | 'titleTerms' | 'titleSpellings' | 'titleLength' | 'spellings'> &
  Pick<IndexedChunk, 'ord' | 'headings' | 'text' | 'sections'>;

export type FacetField =
  | { readonly name: string; readonly field: 'tags' | 'language' }
  /** Facts that start with the prefix. Values are reported without it. */
  | { readonly name: string; readonly field: 'facts'; readonly prefix: string };

export type FacetCounts = {
  readonly name: string;
  /** Ordered by falling count, then by value; at most `limit`. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** Smallest and largest value, compared as strings; absent if there is no value. */
  readonly range?: readonly [least: string, greatest: string];
};
