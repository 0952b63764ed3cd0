import { everyItem } from '../every-item.ts';
import type { SiteScope } from '../ports/page-index.ts';
import type { Item, Key, Listing, TableReader } from '../ports/table.ts';

/** Other URLs with the text of a page, as the last crawl found them. */
export type Aliases = {
  /** The shortest ones. */
  readonly urls: readonly string[];
  /** How many there are. */
  readonly count: number;
};

/** A page in the registry, the truth about what a site holds. The site's page count is the number of its rows. */
export type RegisteredPage = {
  readonly url: string;
  readonly urlHash: string;
  /** The URL as it was ingested, if normalising has changed it. Search results show this one. */
  readonly givenUrl?: string;
  /** Names the page for the owner who ingested it. */
  readonly key?: string;
  readonly title: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly publishedAt?: string;
  /** ISO 8601: when its content was last fetched. */
  readonly crawledAt: string;
  /** Epoch seconds: when its index entry was written. */
  readonly indexedAt: number;
  readonly source: 'crawl' | 'ingest';
  /** SHA-256 of content and extraction version. With the same one, the index entry is up to date. */
  readonly contentHash: string;
  /** SHA-256 of text and filled fields: crawled pages with the same one are duplicates. */
  readonly textHash: string;
  /** SHA-256 of the stored links. When they alone change, the index entry stays. */
  readonly linksHash?: string;
  /** The validators of the response. They count only for the same `extraction`, `fields` and `selection`. */
  readonly etag?: string;
  readonly lastModified?: string;
  readonly answerHash?: string;
  readonly extraction?: number;
  /** Its content is what a browser showed. It then has no validators: the same answer may show another page. */
  readonly rendered?: boolean;
  /** The version of the site's fields (`SourcedFields`) of which its page has all values. */
  readonly fields?: string;
  /** The version of the selectors (`selectionVersion`) with which it was read. */
  readonly selection?: string;
  readonly aliases?: Aliases;
  readonly revision: number;
  readonly chunks: number;
  /** Length of the text of a crawled page. */
  readonly characters?: number;
  /** Of the text (text/fingerprint.ts). The next crawl takes it over if the content hash is the same. */
  readonly fingerprint?: string;
  /** The page is longer than what an index takes of it (entry-size.ts), or than what is read of a PDF. */
  readonly truncated?: boolean;
  readonly lastJobId?: string;
  /** It answers, but the last complete crawl found no link to it. */
  readonly unlinked?: boolean;
  /** It was indexed without vectors while the embedder was unavailable; they are added later. */
  readonly unembedded?: boolean;
  /** The index may not have this revision yet. If its writer is dead, the next writer of the page writes it again. */
  readonly pending?: boolean;
  /** Its removal has begun: text and index entry may be gone (remove-pages.ts). Such a row is pending too. */
  readonly removing?: boolean;
};

export type PageIdentity = Pick<RegisteredPage, 'url' | 'urlHash'>;

const SORT_KEY_BYTES = 1024;
const HASH_CHARACTERS = 32;

/** The items of all generations have this prefix, and sort by generation. */
export const GENERATIONS = 'G#';
export const generationPrefix = (generation: number): string => `${GENERATIONS}${String(generation).padStart(8, '0')}#`;

/** A normalised URL is ASCII: characters are bytes. A URL that is too long for a key is cut, and ends with its hash. */
export function pageKey(siteId: string, generation: number, { url, urlHash }: PageIdentity): Key {
  const prefix = `${generationPrefix(generation)}PAGE#`;
  const room = SORT_KEY_BYTES - prefix.length;
  const tail = url.length <= room ? url : `${url.slice(0, room - HASH_CHARACTERS)}${urlHash}`;
  return { pk: `SITE#${siteId}`, sk: prefix + tail };
}

/** The item that names the text owner among the pages with this text. */
export const textKey = (siteId: string, generation: number, textHash: string): Key => ({
  pk: `SITE#${siteId}`,
  sk: `${generationPrefix(generation)}TEXT#${textHash}`,
});

/** Longer than a writer takes from reading a page or reserving its revision to registering it. */
export const REMEMBERED_SECONDS = 3600;

/** The item that remembers, for an hour, with which revision a page was removed. */
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

/** The rows of a generation in the order of their keys, or those after a sort key, read lazily. */
export const everyPage = (
  { siteId, generation }: SiteScope,
  table: TableReader,
  after?: string,
): AsyncGenerator<RegisteredPage & Item> =>
  everyItem<RegisteredPage>(table, `SITE#${siteId}`, `${generationPrefix(generation)}PAGE#`, after);

/** The rows of those pages that the site holds, by URL hash. */
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
