import type { Key, Listing, Table } from '../ports/table.ts';

/** What a site holds, page by page: the truth that text and index follow. */
export type RegisteredPage = {
  /** Its identity: the one spelling of its address. */
  readonly url: string;
  readonly urlHash: string;
  /** The address as it was ingested, where that is another spelling: the one that is shown. */
  readonly givenUrl?: string;
  /** Names the page for the owner who ingested it. */
  readonly key?: string;
  readonly title: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly publishedAt?: string;
  /** ISO 8601: when its content was last fetched. */
  readonly crawledAt: string;
  /** Epoch seconds: when what the index has of it was written. */
  readonly indexedAt: number;
  readonly source: 'crawl' | 'ingest';
  /** SHA-256 of what was extracted or ingested, and of how: the same hash needs no new index entry. */
  readonly contentHash: string;
  /** SHA-256 of the text alone: two pages with the same one are duplicates. */
  readonly textHash: string;
  /** SHA-256 of the links as they are stored: they may change where nothing else does, and need no new index entry. */
  readonly linksHash?: string;
  /** The validators of the answer that it was read from, and how that was read: under another version they do not count. */
  readonly etag?: string;
  readonly lastModified?: string;
  /** SHA-256 of that answer: of the same one the same is read. */
  readonly answerHash?: string;
  readonly extraction?: number;
  readonly revision: number;
  readonly chunks: number;
  readonly lastJobId?: string;
  /** It was indexed by its words alone while the embedder was away; its vectors are to be added. */
  readonly unembedded?: boolean;
  /** The revision is being written to the index; whoever finds this with no writer alive writes it again. */
  readonly pending?: boolean;
  /** Part of the site's page count. */
  readonly counted?: boolean;
};

const SORT_KEY_BYTES = 1024;
const HASH_CHARACTERS = 32;

const generationPrefix = (generation: number): string => `G#${String(generation).padStart(8, '0')}#`;

/** A normalised URL is ASCII, so characters are bytes. One that is too long for a key is cut and ends with its hash. */
export function pageKey(
  siteId: string,
  generation: number,
  { url, urlHash }: Pick<RegisteredPage, 'url' | 'urlHash'>,
): Key {
  const prefix = `${generationPrefix(generation)}PAGE#`;
  const room = SORT_KEY_BYTES - prefix.length;
  const tail = url.length <= room ? url : `${url.slice(0, room - HASH_CHARACTERS)}${urlHash}`;
  return { pk: `SITE#${siteId}`, sk: prefix + tail };
}

/** Says which page has a text, so that another page with the same one is told to be its duplicate. */
export const textKey = (siteId: string, generation: number, textHash: string): Key => ({
  pk: `SITE#${siteId}`,
  sk: `${generationPrefix(generation)}TEXT#${textHash}`,
});

/** The pages of a site, ordered by URL. */
export function registeredPages(
  siteId: string,
  generation: number,
  { limit, after }: { readonly limit: number; readonly after?: Pick<RegisteredPage, 'url' | 'urlHash'> | undefined },
  table: Table,
): Promise<Listing<RegisteredPage>> {
  return table.query<RegisteredPage>(`SITE#${siteId}`, {
    prefix: `${generationPrefix(generation)}PAGE#`,
    limit,
    ...(after && { after: pageKey(siteId, generation, after).sk }),
  });
}

/** A row as it was read, to be written again: an item's key is not one of its fields. */
export function withoutKey({ pk, sk, ...page }: RegisteredPage & Key): RegisteredPage {
  return page;
}
