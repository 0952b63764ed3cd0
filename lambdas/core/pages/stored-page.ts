import type { SiteScope } from '../ports/page-index.ts';
import type { PageAddress, PageStore, StoredPage } from '../ports/page-store.ts';
import type { RegisteredPage } from './page-registry.ts';

type Revision = Pick<RegisteredPage, 'urlHash' | 'revision'>;

export const textAddress = ({ siteId, generation }: SiteScope, { urlHash, revision }: Revision): PageAddress => ({
  siteId,
  generation,
  urlHash,
  revision,
});

export async function readTexts(
  site: SiteScope,
  rows: readonly Revision[],
  pageStore: PageStore,
): Promise<ReadonlyMap<string, StoredPage>> {
  const texts = await pageStore.get(rows.map((row) => textAddress(site, row)));
  return new Map(
    rows.flatMap(({ urlHash }, index) => {
      const text = texts[index];
      return text ? [[urlHash, text] as const] : [];
    }),
  );
}
