import { everyItem } from '../every-item.ts';
import type { SiteScope } from '../ports/page-index.ts';
import type { Item, Key, Listing, TableReader } from '../ports/table.ts';

/** Other URLs at which the last crawl found the text of a page. */
export type Aliases = {
  /** The shortest of the URLs. */
  readonly urls: readonly string[];
  /** Number of all aliases. */
  readonly count: number;
};

/** A page in the registry, which is the truth about a site's pages. The site's page count is the number of its rows. */
export type RegisteredPage = {
  readonly url: string;
  readonly urlHash: string;
  /** The URL as it was ingested, if it differs from the normalised URL. Search results show it. */
  readonly givenUrl?: string;
  /** The owner's name for an ingested page. */
  readonly key?: string;
  readonly title: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly publishedAt?: string;
  /** ISO 8601 time at which the content was last fetched. */
  readonly crawledAt: string;
  /** Epoch seconds at which the index entry was written. */
  readonly indexedAt: number;
  readonly source: 'crawl' | 'ingest';
  /** SHA-256 of content and extraction version. If it is the same, the index entry is up to date. */
  readonly contentHash: string;
  /** SHA-256 of text and filled fields. Crawled pages with the same hash are duplicates. */
  readonly textHash: string;
  /** SHA-256 of the stored links. If only they change, the index entry stays. */
  readonly linksHash?: string;
  /** The validators of the response. They only count for the same `extraction`, `fields` and `selection`. */
  readonly etag?: string;
  readonly lastModified?: string;
  readonly answerHash?: string;
  readonly extraction?: number;
  /**
   * Whether the content was read in a browser. Such a page has no validators, because the same answer may show another
   * page.
   */
  readonly rendered?: boolean;
  /** The version of the site's fields (`SourcedFields`) for which the page has all values. */
  readonly fields?: string;
  /** The version of the selectors (`selectionVersion`) with which the page was read. */
  readonly selection?: string;
  readonly aliases?: Aliases;
  readonly revision: number;
  readonly chunks: number;
  /** Length of a crawled page's text. */
  readonly characters?: number;
  /** Fingerprint of the text (text/fingerprint.ts). The next crawl reuses it if the content hash is the same. */
  readonly fingerprint?: string;
  /** Whether the page is longer than the indexed part (entry-size.ts), or than the part that is read of a PDF. */
  readonly truncated?: boolean;
  readonly lastJobId?: string;
  /** Whether the page is answered, but the last complete crawl found no link to it. */
  readonly unlinked?: boolean;
  /** Whether the page was indexed without vectors while the embedder was unavailable. They are added later. */
  readonly unembedded?: boolean;
  /** Whether the index may lack this revision. If its writer has died, the page's next writer writes it again. */
  readonly pending?: boolean;
  /** Whether the removal has begun: text and index entry may be gone (remove-pages.ts). Such a row is pending too. */
  readonly removing?: boolean;
};

export type PageIdentity = Pick<RegisteredPage, 'url' | 'urlHash'>;

const SORT_KEY_BYTES = 1024;
const HASH_CHARACTERS = 32;

/** Prefix of the items of all generations, which sort by generation. */
export const GENERATIONS = 'G#';
export const generationPrefix = (generation: number): string => `${GENERATIONS}${String(generation).padStart(8, '0')}#`;

/**
 * Returns the key of a page. A normalised URL is ASCII, so characters are bytes. A URL that is too long for a key is
 * cut and ends with its hash.
 */
export function pageKey(siteId: string, generation: number, { url, urlHash }: PageIdentity): Key {
  const prefix = `${generationPrefix(generation)}PAGE#`;
  const room = SORT_KEY_BYTES - prefix.length;
  const tail = url.length <= room ? url : `${url.slice(0, room - HASH_CHARACTERS)}${urlHash}`;
  return { pk: `SITE#${siteId}`, sk: prefix + tail };
}

/** Returns the key of the item that names the text owner among the pages with this text. */
export const textKey = (siteId: string, generation: number, textHash: string): Key => ({
  pk: `SITE#${siteId}`,
  sk: `${generationPrefix(generation)}TEXT#${textHash}`,
});

/** Longer than a writer takes from reading a page, or reserving its revision, to registering it. */
export const REMEMBERED_SECONDS = 3600;

/** Returns the key of an item that stores for an hour with which revision a page was removed. */
export const removalKey = (siteId: string, generation: number, { urlHash }: Pick<PageIdentity, 'urlHash'>): Key => ({
  pk: `SITE#${siteId}`,
  sk: `${generationPrefix(generation)}REMOVED#${urlHash}`,
});

export function registeredPages(
  siteId: string,
  generation: number,
  { limit, after }: { readonly limit: number; readonly after?: PageIdentity | undefined },
  table: TableReader,
): Promise<Listing<RegisteredPage>> {
  return table.query<RegisteredPage>(`SITE#${siteId}`, {
    prefix: `${generationPrefix(generation)}PAGE#`,
    limit,
    ...(after && { after: pageKey(siteId, generation, after).sk }),
  });
}

/** Yields the rows of a generation in the order of their keys, optionally from after a sort key. Reads lazily. */
export const everyPage = (
  { siteId, generation }: SiteScope,
  table: TableReader,
  after?: string,
): AsyncGenerator<RegisteredPage & Item> =>
  everyItem<RegisteredPage>(table, `SITE#${siteId}`, `${generationPrefix(generation)}PAGE#`, after);

/** Returns the rows of those pages that the site has, by URL hash. */
export async function readRows(
  { siteId, generation }: SiteScope,
  pages: readonly PageIdentity[],
  table: TableReader,
): Promise<ReadonlyMap<string, RegisteredPage>> {
  const items = await table.getMany<RegisteredPage>(pages.map((page) => pageKey(siteId, generation, page)));
  return new Map(items.flatMap((item) => (item ? [[item.urlHash, withoutKey(item)] as const] : [])));
}

export function withoutKey({ pk, sk, ...page }: RegisteredPage & Key): RegisteredPage {
  return page;
}
