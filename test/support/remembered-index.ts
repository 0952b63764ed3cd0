import type { IndexEntry, PageIndex, PageRef } from '../../lambdas/domain/ports/page-index.ts';

const keyOf = ({ siteId, generation, urlHash }: PageRef): string => `${siteId} ${generation} ${urlHash}`;

/** An index in memory that keeps the port's promises for writes. It cannot search. */
export class RememberedIndex implements PageIndex {
  readonly #pages = new Map<string, { readonly version: number; readonly entry?: IndexEntry }>();

  /** By path of a site's pages: the text of the first chunk and the first number of its vector. */
  of(siteId: string): Readonly<Record<string, string>> {
    const entries = [...this.#pages.values()].flatMap(({ entry }) => (entry?.siteId === siteId ? [entry] : []));
    return Object.fromEntries(
      entries.map(({ url, chunks: [first] }) => [
        new URL(url).pathname,
        `${first?.text} (${first?.embedded?.vector[0] ?? 'none'})`,
      ]),
    );
  }

  async put(entries: readonly IndexEntry[]): Promise<void> {
    for (const entry of entries) this.#set(entry, { version: 2 * entry.revision, entry });
  }

  async remove(pages: readonly (PageRef & { readonly revision: number })[]): Promise<void> {
    for (const page of pages) this.#set(page, { version: 2 * page.revision + 1 });
  }

  #set(page: PageRef, now: { readonly version: number; readonly entry?: IndexEntry }): void {
    const { version = 0 } = this.#pages.get(keyOf(page)) ?? {};
    if (now.version >= version) this.#pages.set(keyOf(page), now);
  }

  async removeBelow(siteId: string, generation: number): Promise<boolean> {
    for (const [key, { entry }] of this.#pages)
      if (entry?.siteId === siteId && entry.generation < generation) this.#pages.delete(key);
    return true;
  }

  async refresh(): Promise<void> {}

  readonly candidates = unused;
  readonly vocabulary = unused;
  readonly titled = unused;
  readonly passages = unused;
  readonly facets = unused;
  readonly find = unused;
}

const unused = (): never => {
  throw new Error('this index cannot search');
};
