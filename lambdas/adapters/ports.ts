import type { PageContent } from '../core/content/page-content.ts';
import type { StoredPage } from '../core/content/stored-page.ts';
import type { LabelledTerm } from '../core/language/labels.ts';
import type { QueryTerm } from '../core/language/query-terms.ts';
import type { TermsByPosition } from '../core/language/terms.ts';
import type { Evidence, SiteStatistics, VectorBlock } from '../core/search/ranking.ts';

/*
 * What the domain asks of the world, as promises. Each port has an adapter on AWS and one on a laptop, of the same name;
 * one contract suite per port (test/adapters/*.contract.ts) runs on every adapter. An adapter whose engine does not answer
 * throws `UnavailableError` (core/errors.ts) within 5 s, so that a caller can wait and retry.
 */

export type Scalar = string | number | boolean | null;
export type Value = Scalar | readonly Value[] | { readonly [field: string]: Value | undefined };

export type Key = { readonly pk: string; readonly sk: string };

/** A record under its key. `expiresAt`, in epoch seconds, ends its life. At most 400 kB. */
export type Item = Key & { readonly expiresAt?: number; readonly [field: string]: Value | undefined };

/** Every part must hold. An item that has expired counts as absent. */
export type Condition = {
  readonly exists?: boolean;
  /** The field has this value, or one of these. `null` also stands for an absent field. */
  readonly equals?: Readonly<Record<string, Scalar | readonly Scalar[]>>;
  /** The field is a number below the bound, or absent. */
  readonly below?: Readonly<Record<string, number>>;
};

/** How top-level fields change; others stay. An absent item is created. */
export type FieldChanges = {
  readonly set?: Readonly<Record<string, Value>>;
  readonly unset?: readonly string[];
  /** Numbers added atomically; an absent field counts as 0. */
  readonly add?: Readonly<Record<string, number>>;
};

export type Change =
  | { readonly put: Item; readonly when?: Condition }
  | (FieldChanges & { readonly update: Key; readonly when?: Condition })
  | { readonly remove: Key; readonly when?: Condition }
  | { readonly check: Key; readonly when: Condition };

export type Range = {
  /** Only sort keys that start with this. */
  readonly prefix?: string;
  /** Only sort keys strictly beyond this one, in the direction of the query: where the last page ended. */
  readonly after?: string;
  readonly descending?: boolean;
  /** 1 to 1,000. */
  readonly limit: number;
};

export type Page<T> = {
  readonly items: readonly T[];
  /** Pass it as `after` for the next page. Only its absence means that there is no more: a page may be short. */
  readonly next?: string;
};

/**
 * Items under (pk, sk), ordered within a pk by the UTF-8 bytes of sk. No joins, no secondary index.
 * Reads see every write that was answered before they began.
 */
export interface Table {
  get<T extends object = Item>(key: Key): Promise<(T & Item) | undefined>;

  /** Any number of keys; the answers stand in their order. */
  getMany<T extends object = Item>(keys: readonly Key[]): Promise<readonly ((T & Item) | undefined)[]>;

  query<T extends object = Item>(pk: string, range: Range): Promise<Page<T & Item>>;

  /** Changes one item atomically and answers how it is now, or undefined if the condition did not hold. */
  update<T extends object = Item>(
    key: Key,
    changes: FieldChanges & { readonly when?: Condition },
  ): Promise<(T & Item) | undefined>;

  /**
   * Writes all changes or none: at most 100, of together 4 MB, no item twice.
   * Answers the places of the changes whose condition did not hold: nothing was written unless it is empty.
   * When it throws, the outcome is unknown: repeat it with conditions that make a repeat harmless.
   */
  write(changes: readonly Change[]): Promise<readonly number[]>;

  /** Puts any number of items, one by one: after a throw some are there and some are not. */
  putMany(items: readonly Item[]): Promise<void>;

  /** Removes any number of items, one by one; those that are not there are fine. */
  removeMany(keys: readonly Key[]): Promise<void>;
}

/** A FIFO message is ordered within its group and kept once per deduplication id for 5 minutes; another may be delayed, up to 900 s. */
export type Outgoing = { readonly body: string } & (
  | { readonly group: string; readonly deduplicationId: string }
  | { readonly delaySeconds?: number }
);

export type Delivery = {
  readonly body: string;
  /** Names this delivery, not the message: a later delivery of the same message has another one. */
  readonly receipt: string;
  /** 1 for the first delivery. */
  readonly receiveCount: number;
};

/**
 * The queues that `messages.ts` names, with the visibility time-out, the number of receives and the dead-letter queue given there.
 * A body has at most 256 kB. Delivery is at least once: a message that is not acknowledged within the visibility time-out comes
 * again, after the last receive it moves to the dead-letter queue. While a message of a FIFO group is out, the rest of its group waits.
 */
export interface Queue {
  send(queue: string, message: Outgoing): Promise<void>;

  /** At most 10, as soon as there is one, else none after `waitSeconds` (0 to 20). */
  receive(queue: string, options: { readonly max: number; readonly waitSeconds: number }): Promise<readonly Delivery[]>;

  /** The message is done. A receipt that has been overtaken is ignored. */
  acknowledge(queue: string, receipt: string): Promise<void>;

  /** Gives the message back before its time-out, to be delivered again after `delaySeconds`. */
  release(queue: string, receipt: string, delaySeconds: number): Promise<void>;
}

export type PageAddress = {
  readonly siteId: string;
  readonly generation: number;
  readonly urlHash: string;
  readonly revision: number;
};

/**
 * Extracted pages, immutable under their address: what was put is what is read, until it is removed.
 * The registry row of a page says which revision counts; older ones are left-overs.
 */
export interface PageStore {
  put(pages: readonly { readonly address: PageAddress; readonly page: StoredPage }[]): Promise<void>;
  get(addresses: readonly PageAddress[]): Promise<readonly (StoredPage | undefined)[]>;
  remove(addresses: readonly PageAddress[]): Promise<void>;

  /** Removes up to `limit` pages of a site, of generations below the given one; answers whether none is left. */
  removeBelow(siteId: string, generation: number, limit: number): Promise<boolean>;
}

export type FetchRequest = {
  readonly url: string;
  readonly etag?: string;
  readonly lastModified?: string;
  readonly accept?: string;
  readonly maxBytes: number;
  /** What is longer is cut there, and not a failure. */
  readonly cut?: boolean;
  /** One deadline over look-up, connection, headers and body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

export type FetchFailure =
  | 'timeout'
  | 'dns'
  | 'connection'
  | 'private_address'
  | 'too_large'
  | 'bad_content'
  | 'aborted';

export type FetchResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** Lower-case names; repeated headers that are lists joined by a comma. */
      readonly headers: Readonly<Record<string, string>>;
      /** Unpacked; empty if the status is not 2xx. */
      readonly body: Uint8Array;
    }
  | { readonly kind: 'failure'; readonly reason: FetchFailure; readonly detail: string };

/** Fetches one URL, never from a private address unless its host is admitted by name. Redirects are answers. It does not throw. */
export interface PageFetcher {
  fetch(request: FetchRequest): Promise<FetchResult>;

  /**
   * As `fetch`, but hands over the body of a 2xx answer in parts, for as long as `take` asks for more, and in the result it is empty.
   * Unpacks a gzip file too. What came before a failure has been handed over; more than `maxBytes` are one.
   */
  stream(request: Omit<FetchRequest, 'cut'>, take: (part: Uint8Array) => boolean): Promise<FetchResult>;

  close(): Promise<void>;
}

/** What a server sent for a page, unpacked. */
export type FetchedPage = {
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
};

/** Reads pages, which may take a while. Several may be given at once. */
export interface PageReader {
  /** What a page holds; undefined if it is neither HTML nor text. Rejects if the page cannot be read, by its own fault. */
  read(page: FetchedPage): Promise<PageContent | undefined>;
}

/**
 * What the look-up of a URL's host says now: it may be crawled; its name does not exist; an address of it is not public; or nothing,
 * for the look-up failed or took too long, and may succeed later. `privateHost` (`host:port`) is admitted whatever its address.
 */
export type AddressCheck = (
  url: string,
  privateHost?: string,
) => Promise<'crawlable' | 'no_such_host' | 'private' | 'unverified'>;

export type EmbeddedText = { readonly vector: Float32Array; readonly block: VectorBlock };

/** Texts to vectors of one space. Both methods throw `UnavailableError` when a provider does not answer. */
export interface Embedder {
  /** Names provider, model, dimensions and table: vectors of different spaces are never compared. */
  readonly space: string;
  readonly dimensions: number;
  /** In the order of the texts; undefined where a text gives no evidence. The language decides on the block. */
  embedTexts(
    texts: readonly { readonly text: string; readonly language?: string | undefined }[],
  ): Promise<readonly (EmbeddedText | undefined)[]>;
  /** Comparable by dot product with the vectors of every block: the product is the cosine. */
  embedQuery(query: string, deadlineMs: number): Promise<Float32Array | undefined>;
}

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
export type RequiredPhrase = readonly (readonly string[])[];

export type CandidateQuery = {
  /** Distinct sites, at least one. */
  readonly scopes: readonly [SiteScope, ...SiteScope[]];
  /** At most 32. */
  readonly terms: readonly QueryTerm[];
  readonly vector?: Float32Array | undefined;
  readonly filters: readonly PageFilter[];
  /** Only pages that have each of these, and none of those in `without`; a single word is a phrase too. At most 8 and 8. */
  readonly phrases: readonly RequiredPhrase[];
  readonly without: readonly RequiredPhrase[];
  /** Each gets candidates of its own, so that a boost can bring up what would not be among the first. */
  readonly groups: readonly PageGroup[];
  /** So many pages by words and as many by vector, of each site. At most 1,000. */
  readonly size: number;
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
  | { readonly name: string; readonly of: 'tags' | 'language' }
  /** Values of facts that start with the prefix, without it. */
  | { readonly name: string; readonly of: 'facts'; readonly prefix: string };

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
  ): Promise<Page<Pick<IndexEntry, 'url' | 'urlHash' | 'title'>>>;
}
