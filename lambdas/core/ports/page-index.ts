import type { LabelledTerm } from '../language/labels.ts';
import type { QueryTerm } from '../language/query-terms.ts';
import type { TermsByPosition } from '../language/terms.ts';
import type { Evidence, SiteStatistics } from '../search/ranking.ts';
import type { EmbeddedText } from './embedder.ts';
import type { Listing } from './table.ts';

export type PageRef = { readonly siteId: string; readonly generation: number; readonly urlHash: string };

export type IndexedChunk = {
  readonly ord: number;
  /** The terms of title, headings and text (core/language/terms.ts). */
  readonly terms: TermsByPosition;
  /** The terms of its headings and of the names that its text explains, each once (core/language/labels.ts). All are in `terms`. */
  readonly labelled: readonly LabelledTerm[];
  readonly headings: readonly string[];
  readonly text: string;
  /** How much of the text stands in links, 0 to 1 in hundredths. */
  readonly linkShare: number;
  readonly embedded?: EmbeddedText | undefined;
};

/** A page as it is indexed: at most 1,000 chunks. */
export type IndexEntry = PageRef & {
  readonly revision: number;
  readonly url: string;
  readonly title: string;
  readonly titleTerms: readonly string[];
  /** Distinct terms of the title that count (core/language/query-terms.ts). */
  readonly titleLength: number;
  readonly language?: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  /** `s:name=value`, `n:name=…`, `d:name=…`: numbers and dates spelled so that their order is that of the strings. */
  readonly facts: readonly string[];
  /** What the owner of the page said of it, as JSON has it; it is shown, not searched. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly publishedAt?: string;
  readonly crawledAt: string;
  readonly chunks: readonly IndexedChunk[];
};

/** No query without one: the pages of this site's generation and no others. */
export type SiteScope = { readonly siteId: string; readonly generation: number };

export type PageFilter =
  | { readonly field: 'tags' | 'language' | 'facts'; readonly anyOf: readonly string[] }
  /** Both ends included, compared as strings. */
  | { readonly field: 'publishedAt' | 'facts'; readonly from: string; readonly to: string };

/** Pages that have one of the tags or start with one of the prefixes; with `inside: false` all the others. */
export type PageGroup = {
  readonly inside: boolean;
  readonly tags: readonly string[];
  readonly urlPrefixes: readonly string[];
  /** Compared with path and query. */
  readonly pathPrefixes: readonly string[];
};

/** Words that stand next to each other, in this order, in one chunk (title and headings are part of each). A word is any one of its terms. */
export type Phrase = readonly (readonly string[])[];

export type CandidateQuery = {
  /** Distinct sites, at least one. */
  readonly scopes: readonly [SiteScope, ...SiteScope[]];
  /** At most 32. */
  readonly terms: readonly QueryTerm[];
  readonly vector?: Float32Array | undefined;
  readonly filters: readonly PageFilter[];
  /** Only pages that have each of these, and none of those in `without`; a single word is a phrase too. At most 8 and 8. */
  readonly requiredPhrases: readonly Phrase[];
  readonly excludedPhrases: readonly Phrase[];
  /** Each gets candidates of its own, so that a boost can bring up what would not be among the first. */
  readonly groups: readonly PageGroup[];
  /** So many pages by words and as many by vector, of each site. At most 1,000. */
  readonly limit: number;
};

/** What speaks for a chunk; the lists go by the places of the query's terms. */
export type CandidateChunk = Pick<
  Evidence,
  'cosine' | 'frequencies' | 'phrase' | 'length' | 'labelLengths' | 'linkShare'
> & { readonly ord: number };

export type PageCandidate = PageRef &
  Pick<Evidence, 'inTitle' | 'inPage' | 'titleLength' | 'block'> & {
    readonly url: string;
    readonly tags: readonly string[];
    readonly facts: readonly string[];
    /** At least the page's best chunk by words, if it was found by words, and by vector, if it was found by vector. */
    readonly chunks: readonly CandidateChunk[];
  };

export type Candidates = {
  /** By siteId. A term whose `typos` is true is not in the site: what was counted for it are words one letter off (two from nine letters). */
  readonly statistics: ReadonlyMap<string, SiteStatistics & { readonly typos: readonly boolean[] }>;
  readonly pages: readonly PageCandidate[];
  /** More pages have one of the words than were looked at. */
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
  /** Values of facts that start with the prefix, without it. */
  | { readonly name: string; readonly field: 'facts'; readonly prefix: string };

export type FacetCounts = {
  readonly name: string;
  /** The most frequent first, then by value; at most the limit. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** The least and the greatest value. */
  readonly range?: readonly [least: string, greatest: string];
};

/**
 * What is searched; derived from registry and page store, and can be rebuilt from them. Evidence is exact: term frequencies (to
 * 255), lengths, cosines within 0.001, and statistics are those of the site's own chunks, never of other tenants.
 */
export interface PageIndex {
  /**
   * Replaces pages whole, at once for a searcher. An entry older than what is there (by revision) is ignored, the same one again is
   * harmless. Visible `now`: to every search that begins after the answer; `soon`: within 5 s.
   */
  put(entries: readonly IndexEntry[], options: { readonly visible: 'now' | 'soon' }): Promise<void>;

  /** Removes pages unless a newer revision is there; those that are not there are fine. */
  remove(
    pages: readonly (PageRef & { readonly revision: number })[],
    options: { readonly visible: 'now' | 'soon' },
  ): Promise<void>;

  /** Removes up to `limit` pages of a site, of generations below the given one; answers whether none is left. */
  removeBelow(siteId: string, generation: number, limit: number): Promise<boolean>;

  /** What was put and removed `soon`, by whomever, is visible to every search that begins after the answer. */
  refresh(): Promise<void>;

  /** The pages that may answer, by words and by vector, with the evidence that ranking needs. Reads no text. */
  candidates(query: CandidateQuery): Promise<Candidates>;

  /** The texts of chunks that are shown; undefined for those that are gone. */
  passages(refs: readonly PassageRef[]): Promise<readonly (Passage | undefined)[]>;

  facets(
    query: Pick<CandidateQuery, 'scopes' | 'filters'> & {
      readonly fields: readonly FacetField[];
      readonly limit: number;
    },
  ): Promise<readonly FacetCounts[]>;

  /** Pages with the text, in any case, in their title or URL; ordered by URL. `after` is the URL where the last page ended. */
  find(
    scope: SiteScope,
    query: { readonly text: string; readonly limit: number; readonly after?: string },
  ): Promise<Listing<Pick<IndexEntry, 'url' | 'urlHash' | 'title'>>>;
}
