import type { PageAddress, PageStore, StoredPage } from '../../../lambdas/domain/ports/page-store.ts';
import { listingOf } from '../../../lambdas/domain/ports/rules/listing.ts';
import type { Listing } from '../../../lambdas/domain/ports/table.ts';

/** The texts of a page store in memory. Changes take effect at once. */
export class PageStoreState {
  readonly #pages = new Map<string, { readonly address: PageAddress; readonly page: StoredPage }>();

  /** False if the address has another page. */
  put({ siteId, generation, urlHash, revision }: PageAddress, page: StoredPage): boolean {
    const address = { siteId, generation, urlHash, revision };
    const before = this.get(address);
    this.#pages.set(nameOf(address), { address, page: structuredClone(page) });
    return before === undefined || JSON.stringify(before) === JSON.stringify(page);
  }

  get(address: PageAddress): StoredPage | undefined {
    return this.#pages.get(nameOf(address))?.page;
  }

  remove(address: PageAddress): void {
    this.#pages.delete(nameOf(address));
  }

  of(siteId: string): readonly PageAddress[] {
    return [...this.#pages.values()].flatMap(({ address }) => (address.siteId === siteId ? [address] : []));
  }

  list(...[{ siteId, generation }, { limit, after = '' }]: Parameters<PageStore['list']>): Listing<PageAddress> {
    const cursorOf = ({ urlHash, revision }: PageAddress) => `${urlHash}/${revision}`;
    const all = this.of(siteId).filter((address) => address.generation === generation && cursorOf(address) > after);
    all.sort((a, b) => (cursorOf(a) < cursorOf(b) ? -1 : 1));
    return listingOf(all, limit, cursorOf);
  }
}

/** `PageStore` in memory. */
export function memoryPageStore(state = new PageStoreState()): PageStore {
  return {
    put: async (pages) => {
      for (const { address, page } of pages) state.put(address, page);
    },
    get: async (addresses) => addresses.map((address) => state.get(address)),
    remove: async (addresses) => {
      for (const address of addresses) state.remove(address);
    },
    list: async (site, query) => state.list(site, query),
    removeBelow: async (siteId, generation, limit) => {
      const below = state.of(siteId).filter((address) => address.generation < generation);
      for (const address of below.slice(0, limit)) state.remove(address);
      return below.length <= limit;
    },
  };
}

const nameOf = ({ siteId, generation, urlHash, revision }: PageAddress): string =>
  `${siteId} ${generation} ${urlHash} ${revision}`;
