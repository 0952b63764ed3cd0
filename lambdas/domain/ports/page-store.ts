import type { PageContent } from '../../text/page-content.ts';
import type { SiteScope } from './page-index.ts';
import type { Listing } from './table.ts';

/** A page as it was extracted: its index entry can be rebuilt from it and its registry row. */
export type StoredPage = PageContent & {
  readonly url: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The names of metadata that was filled from the page itself; the rest was ingested. */
  readonly filled?: readonly string[];
};

export type PageAddress = {
  readonly siteId: string;
  readonly generation: number;
  readonly urlHash: string;
  readonly revision: number;
};

/**
 * The extracted pages. A page never changes under its address until it is removed; its registry row names the current
 * revision. Reads see every write that was answered before they began. Methods throw `UnavailableError`
 * (domain/errors.ts).
 */
export interface PageStore {
  /** Any number of pages; after an error some may be stored. */
  put(pages: readonly { readonly address: PageAddress; readonly page: StoredPage }[]): Promise<void>;

  /** One result per address, in the order of the addresses; undefined for a page that is not there. */
  get(addresses: readonly PageAddress[]): Promise<readonly (StoredPage | undefined)[]>;

  /** Absent pages are ignored. */
  remove(addresses: readonly PageAddress[]): Promise<void>;

  /** Which pages of a generation are stored. `after` is a listing's `next`; `limit` is 1 to 1,000. */
  list(
    site: SiteScope,
    query: { readonly limit: number; readonly after?: string | undefined },
  ): Promise<Listing<PageAddress>>;

  /** Removes up to `limit` of a site's pages in generations below `generation`. Answers whether none is left. */
  removeBelow(siteId: string, generation: number, limit: number): Promise<boolean>;
}

/** Reads pages by their addresses. */
export type PageStoreReader = Pick<PageStore, 'get'>;
