import type { EmbeddedText } from './embedder.ts';
import type { IndexEntry, IndexedChunk, PageRef, SiteScope } from './page-index.ts';
import type { Listing } from './table.ts';

/**
 * What searches need of the index: it changes nothing. The features of candidates are exact, cosines within 0.001.
 * Methods throw `UnavailableError` (domain/errors.ts).
 */
export interface IndexReader {
  /** The best pages by words and by vector, with the features that ranking needs. Reads no text. */
  candidates(query: CandidateQuery): Promise<Candidates>;

  /** What the pages of all scopes know of words, in the order of the words. */
  vocabulary(query: { readonly scopes: Scopes; readonly words: readonly WordQuery[] }): Promise<readonly WordEntry[]>;

  /**
   * Pages by their titles, those with the fewest other words first. `withTypos`: no title has the words as typed; those
   * of `pages` have in place of a word one with one other letter, in place of the last one of `similarCompletions`.
   */
  titled(query: TitleQuery): Promise<{ readonly pages: readonly TitledPage[]; readonly withTypos: boolean }>;

  /** One result per chunk, in the order of `refs`; undefined for a chunk that is no longer indexed. */
  passages(refs: readonly PassageRef[]): Promise<readonly (Passage | undefined)[]>;

  /** How many pages have each value of the fields. */
  facets(query: {
    readonly scopes: Scopes<Omit<SearchScope, 'boosts'>>;
    readonly fields: readonly FacetField[];
    readonly limit: number;
  }): Promise<readonly FacetCounts[]>;

  /** Pages whose title or URL contains the text in any case, ordered by URL. `after` is a listing's `next`, a URL. */
  find(
    scope: SiteScope,
    query: { readonly text: string; readonly limit: number; readonly after?: string },
  ): Promise<Listing<Pick<IndexEntry, 'url' | 'urlHash' | 'title' | 'revision'>>>;
}

export type PageFilter =
  | { readonly field: 'tags' | 'language' | 'facts'; readonly anyOf: readonly string[] }
  /** Both bounds are included; values are compared as strings. */
  | { readonly field: 'publishedAt' | 'facts'; readonly from: string; readonly to: string }
  /** Pages of which the URL or an alias, or the path and query of one, starts with one of these. */
  | { readonly field: 'url'; readonly urlPrefixes: readonly string[]; readonly pathPrefixes: readonly string[] }
  /** Holds if one of these holds. */
  | { readonly field: 'any'; readonly of: readonly PageFilter[] };

/** What a query searches of one site. Sites differ in their metadata schemas and boosts. */
export type SearchScope = SiteScope & {
  /** All must hold. */
  readonly filters?: readonly PageFilter[];
  /** Factors of scores. A page that is raised can be among the best, though it is not without its boost. */
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
  /** Its stems in the languages of the site. A chunk that contains one of them contains the term. */
  readonly forms: readonly string[];
  /** A word such as "how" or "the", which counts neither for nor against a page. */
  readonly question: boolean;
  /** Position in the query; an identifier and its parts share one. */
  readonly position: number;
  /** For a part of an identifier: the index of the whole identifier among the query's terms. */
  readonly wholeAt?: number;
};

/** Adjacent words of a chunk (with title and headings) in this order; each word is a list of alternative terms. */
export type Phrase = readonly (readonly string[])[];

export type CandidateQuery = {
  readonly scopes: Scopes<SearchScope>;
  /** At most 32. Arrays of the answer are indexed by them. */
  readonly terms: readonly QueryTerm[];
  readonly vector?: Float32Array | undefined;
  /** By kind of vector, the cosines that mean unrelated and nearly the same, and the weight; absent: the usual ones. */
  readonly scales?:
    | Readonly<Record<EmbeddedText['block'], { readonly low: number; readonly high: number; readonly weight: number }>>
    | undefined;
  /** Only pages that contain all of these, at most 8. A single word is a phrase too. */
  readonly requiredPhrases: readonly Phrase[];
  /** Only pages that contain none of these, at most 8. */
  readonly excludedPhrases: readonly Phrase[];
  /**
   * The best pages of all scopes: this many by score (domain/search/rank/ranking.ts) times boosts, up to 1,000. SQLite
   * misses none of them; OpenSearch may (aws/opensearch/search/candidate-search.ts).
   */
  readonly limit: number;
  /** Chunks of each page, at least one; 1 by default. */
  readonly chunksPerPage?: number;
  /** Pages with a lower score need not be answered; 0 by default. */
  readonly minScore?: number;
  /** Beyond the best `first` pages an engine may only count those that reach `minScore`; by default it may not. */
  readonly first?: number;
};

export type Candidates = {
  /** Statistics by siteId. */
  readonly statistics: ReadonlyMap<string, SiteStatistics>;
  readonly pages: readonly PageCandidate[];
  /** How many pages that are not among `pages` reach `minScore` too, until there are `limit` in all. */
  readonly others: number;
};

/** Of the chunks of one site alone. Lengths are numbers of terms. */
export type SiteStatistics = {
  readonly chunks: number;
  readonly averageLength: number;
  /** By query term: how many chunks contain it in any of its forms. */
  readonly documentFrequency: readonly number[];
};

/** A page with what its score is computed from. */
export type PageCandidate = PageRef &
  Pick<IndexEntry, 'url' | 'tags' | 'facts' | 'titleLength'> & {
    readonly language?: string | undefined;
    /** The kind of its vectors. */
    readonly block: EmbeddedText['block'];
    /** By query term. */
    readonly inTitle: readonly boolean[];
    /** Holds at least the best chunk of each way in which the page was found. */
    readonly chunks: readonly CandidateChunk[];
  };

export type CandidateChunk = {
  readonly ord: number;
  /** Absent without a vector. */
  readonly cosine?: number;
  /** If it is not that of the page: a page without a language may have passages in several. */
  readonly block?: EmbeddedText['block'];
  /** Number of terms, with those of title and headings. */
  readonly length: number;
  /** By query term, up to `MAX_TERM_FREQUENCY`. */
  readonly frequencies: readonly number[];
  /** By query term: whether it is next to another of the query's words, in their order. */
  readonly phrase: readonly boolean[];
  /** By query term: the length of the shortest label that contains it; 0 without one. */
  readonly labelLengths: readonly number[];
  readonly linkShare: number;
};
/** A term that occurs more often in a chunk has this frequency. */
export const MAX_TERM_FREQUENCY = 255;

export type WordQuery = {
  /** Folded but not stemmed. */
  readonly word: string;
  /** Its stems in the languages of the site. */
  readonly forms: readonly string[];
  /** `similar`: within the word's edit distance. `completions`: that begin with it, or almost so (its first 12 letters). */
  readonly find?: 'similar' | 'completions' | 'similarCompletions';
};

export type WordEntry = {
  /** Whether a page has a form of the word. */
  readonly isKnown: boolean;
  /** The number of pages that spell the word just so; 0 without `find`. */
  readonly pages: number;
  /** Most frequent first, at most `MAX_FOUND_WORDS`; without the word itself. */
  readonly found: readonly SpelledWord[];
};
/** A word as pages spell it, and the number of those pages. */
export type SpelledWord = { readonly word: string; readonly pages: number };
export const MAX_FOUND_WORDS = 20;

/** Pages whose title has a form of each word; of the last word it may have a longer one that begins with it. */
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
  /** Facts that start with the prefix; values are reported without it. */
  | { readonly name: string; readonly field: 'facts'; readonly prefix: string };

export type FacetCounts = {
  readonly name: string;
  /** Ordered by falling count, then by value; at most `limit`. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** Smallest and largest value, compared as strings; absent if there is no value. */
  readonly range?: readonly [least: string, greatest: string];
};
