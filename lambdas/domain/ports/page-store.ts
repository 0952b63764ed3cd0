import type { PageContent } from '../../text/page-content.ts';
import type { SiteScope } from './page-index.ts';
import type { Listing } from './table.ts';

/** A page as it was extracted. Its index entry can be rebuilt from it and its registry row. */
export type StoredPage = PageContent & {
  readonly url: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Names of metadata filled from the page itself. The other metadata was ingested. */
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
  /** Stores any number of pages. After an error some may be stored. */
  put(pages: readonly { readonly address: PageAddress; readonly page: StoredPage }[]): Promise<void>;

  /** Returns one result per address, in order; undefined for a page that does not exist. */
  get(addresses: readonly PageAddress[]): Promise<readonly (StoredPage | undefined)[]>;

  /** Removes pages. Absent pages are ignored. */
  remove(addresses: readonly PageAddress[]): Promise<void>;

  /** Lists the stored pages of a generation. `after` is a listing's `next`; `limit` is 1 to 1,000. */
  list(
    site: SiteScope,
    query: { readonly limit: number; readonly after?: string | undefined },
  ): Promise<Listing<PageAddress>>;

  /** Removes up to `limit` of a site's pages in generations below `generation`. Returns whether none is left. */
  removeBelow(siteId: string, generation: number, limit: number): Promise<boolean>;
}

/** Reads pages by their addresses. */
export type PageStoreReader = Pick<PageStore, 'get'>;
