import type { StoredPage } from '../pages/stored-page.ts';

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
