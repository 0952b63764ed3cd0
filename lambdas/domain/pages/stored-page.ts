import { UnavailableError } from '../errors.ts';
import type { SiteScope } from '../ports/page-index.ts';
import type { PageAddress, PageStore, PageStoreReader, StoredPage } from '../ports/page-store.ts';
import type { RegisteredPage } from './page-registry.ts';

type Revision = Pick<RegisteredPage, 'urlHash' | 'revision'>;

export const pageAddress = ({ siteId, generation }: SiteScope, { urlHash, revision }: Revision): PageAddress => ({
  siteId,
  generation,
  urlHash,
  revision,
});

export async function readStoredPages(
  site: SiteScope,
  rows: readonly Revision[],
  pageStore: PageStoreReader,
): Promise<ReadonlyMap<string, StoredPage>> {
  const pages = await pageStore.get(rows.map((row) => pageAddress(site, row)));
  return new Map(
    rows.flatMap(({ urlHash }, index) => {
      const page = pages[index];
      return page ? [[urlHash, page] as const] : [];
    }),
  );
}

/** Removes pages to which no row refers. In an outage they stay until their site is removed. */
export async function dropStoredPages(addresses: readonly PageAddress[], pageStore: PageStore): Promise<void> {
  if (addresses.length === 0) return;
  try {
    await pageStore.remove(addresses);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
}
