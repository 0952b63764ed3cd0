import type { ChunkSection } from '../../text/chunking/chunks.ts';
import type { CosineScales } from '../../text/words/cosine-scale.ts';
import type { LabelledTerm } from '../../text/words/labels.ts';
import type { QueryTerm } from '../../text/words/query-terms.ts';
import type { TermsByPosition } from '../../text/words/terms.ts';
import type { SiteStatistics } from '../search/rank/bm25.ts';
import type { Boosts } from '../search/rank/boosts.ts';
import type { ChunkFeatures, PageFeatures } from '../search/rank/ranking.ts';
import type { EmbeddedText } from './embedder.ts';
import type { Listing } from './table.ts';

/** A term that occurs more often in a chunk has this frequency. */
export const MAX_TERM_FREQUENCY = 255;
export type PageRef = { readonly siteId: string; readonly generation: number; readonly urlHash: string };

export type IndexedChunk = {
  /** Position in the page, from 0. */
  readonly ord: number;
  /** The terms of title, headings, text and `searchOnlyText` (text/words/terms.ts). */
  readonly terms: TermsByPosition;
  /** Distinct terms of headings and of names that the text defines (text/words/labels.ts); all are in `terms`. */
  readonly labelled: readonly LabelledTerm[];
  readonly headings: readonly string[];
  readonly text: string;
  /** Not stored: its words are in `terms`, and no passage shows it. */
  readonly searchOnlyText?: string;
  readonly sections: readonly ChunkSection[];
  /** Share of the text that is link text, 0 to 1 in steps of 0.01. */
  readonly linkShare: number;
  readonly embedded?: EmbeddedText | undefined;
};

/** A page as it is indexed, with at most 1,000 chunks and 9 MB. */
export type IndexEntry = PageRef & {
  readonly revision: number;
  readonly url: string;
  /** Other URLs of the page, at most 100: the filter by URL looks at them. */
  readonly aliases: readonly string[];
  readonly title: string;
  readonly titleTerms: readonly string[];
  /** Those of `spellings` that are in the title. */
  readonly titleSpellings: readonly string[];
  /** Number of distinct title terms that count (text/words/query-terms.ts). */
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
  /** The distinct words of the page, folded but not stemmed (`isSpelled`); identifiers only whole. */
  readonly spellings: readonly string[];
  readonly chunks: readonly IndexedChunk[];
  /** The page is longer: what follows its last chunk is not found. */
  readonly truncated?: boolean;
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

/** What a query searches of one site. Sites differ in their metadata schemas and boosts. */
export type SearchScope = SiteScope & {
  /** All must hold. */
  readonly filters?: readonly PageFilter[];
  /** With URL prefixes as pages are stored. A boost can raise a page that is not among the best without it. */
  readonly boosts?: Boosts;
};

/** Adjacent words of a chunk (with title and headings) in this order; each word is a list of alternative terms. */
export type Phrase = readonly (readonly string[])[];

export type CandidateQuery = {
  /** Distinct sites, at least one. */
  readonly scopes: readonly [SearchScope, ...SearchScope[]];
  /** At most 32 terms. Arrays of the answer are indexed by them. */
  readonly terms: readonly QueryTerm[];
  readonly vector?: Float32Array | undefined;
  /** How its cosines count in the score, if not by the usual scales. */
  readonly scales?: CosineScales | undefined;
  /** Only pages that contain all of these. A single word is a phrase too. At most 8. */
  readonly requiredPhrases: readonly Phrase[];
  /** Only pages that contain none of these. At most 8. */
  readonly excludedPhrases: readonly Phrase[];
  /**
   * The best pages of all scopes: this many by score (domain/search/rank/ranking.ts) times boosts, up to 1,000. SQLite misses
   * none of them; OpenSearch reads a list by words, title and labels and one by vector, each until none of the best
   * pages is near its end.
   */
  readonly limit: number;
  /** Chunks of each page, at least one; 1 by default. */
  readonly chunksPerPage?: number;
  /** Pages with a lower score need not be answered; 0 by default. */
  readonly minScore?: number;
  /** Beyond the best `first` pages an engine may only count those that reach `minScore`; by default it may not. */
  readonly first?: number;
};

/** The ranking features of a chunk. */
export type CandidateChunk = ChunkFeatures & { readonly ord: number };

export type PageCandidate = PageRef &
  PageFeatures & {
    readonly url: string;
    readonly language?: string | undefined;
    readonly tags: readonly string[];
    readonly facts: readonly string[];
    /** Holds at least the best chunk of each way in which the page was found. */
    readonly chunks: readonly CandidateChunk[];
  };

export type Candidates = {
  /** Statistics by siteId. */
  readonly statistics: ReadonlyMap<string, SiteStatistics>;
  readonly pages: readonly PageCandidate[];
  /** How many pages that are not among `pages` reach `minScore` too, until there are `limit` in all. */
  readonly others: number;
};

/** A word as pages spell it, and the number of those pages. */
export type SpelledWord = { readonly word: string; readonly pages: number };

export type WordQuery = {
  /** Folded. */
  readonly word: string;
  /** Its stems in the languages of the site. */
  readonly forms: readonly string[];
  /**
   * `similar`: within the word's edit distance. `completions`: that begin with it, or almost so (its first 12 letters).
   */
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

export const MAX_FOUND_WORDS = 20;

/** Pages whose title has a form of each word; of the last word it may have a longer one that begins with it. */
export type TitleQuery = {
  readonly scopes: readonly [SiteScope, ...SiteScope[]];
  readonly words: readonly Pick<WordQuery, 'word' | 'forms'>[];
  readonly limit: number;
};

export type TitledPage = Pick<IndexEntry, 'siteId' | 'url' | 'title'>;

export type TitledPages = {
  /** Those with the fewest other words first. */
  readonly pages: readonly TitledPage[];
  /**
   * No title has the words as typed. Those of `pages` have in place of a word one with one other letter, in place of
   * the last word one of `similarCompletions`.
   */
  readonly withTypos: boolean;
};

export type PassageRef = PageRef & { readonly ord: number };

export type Passage = Omit<IndexEntry, 'chunks' | 'titleTerms' | 'titleSpellings' | 'titleLength' | 'spellings'> & {
  readonly ord: number;
  readonly headings: readonly string[];
  readonly text: string;
  readonly sections: readonly ChunkSection[];
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
 * Methods throw `UnavailableError` (domain/errors.ts).
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

/** What searches need of the index: it changes nothing. */
export interface IndexReader {
  /** The best pages by words and by vector, with the features that ranking needs. Reads no text. */
  candidates(query: CandidateQuery): Promise<Candidates>;

  /** What the pages of all scopes know of words, in the order of the words. */
  vocabulary(query: {
    readonly scopes: readonly [SiteScope, ...SiteScope[]];
    readonly words: readonly WordQuery[];
  }): Promise<readonly WordEntry[]>;

  /** Pages by their titles. */
  titled(query: TitleQuery): Promise<TitledPages>;

  /** One result per chunk, in the order of `refs`; undefined for a chunk that is no longer indexed. */
  passages(refs: readonly PassageRef[]): Promise<readonly (Passage | undefined)[]>;

  facets(query: {
    readonly scopes: readonly [Omit<SearchScope, 'boosts'>, ...Omit<SearchScope, 'boosts'>[]];
    readonly fields: readonly FacetField[];
    readonly limit: number;
  }): Promise<readonly FacetCounts[]>;

  /** Pages whose title or URL contains the text in any case, ordered by URL. `after` is a listing's `next`, a URL. */
  find(
    scope: SiteScope,
    query: { readonly text: string; readonly limit: number; readonly after?: string },
  ): Promise<Listing<Pick<IndexEntry, 'url' | 'urlHash' | 'title' | 'revision'>>>;
}

/** What a clean-up needs of the index. */
export interface PageRemover {
  /** Removes up to `limit` of a site's pages in generations below `generation`. Answers whether none is left. */
  removeBelow(siteId: string, generation: number, limit: number): Promise<boolean>;
}
