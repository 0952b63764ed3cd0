import { gzipSync } from 'node:zlib';
import { batches } from '../../lambdas/domain/batches.ts';
import type { PageStore, PageStoreReader } from '../../lambdas/domain/ports/page-store.ts';
import { store } from '../threads/store.ts';

/** The most pages of one call. */
const BATCH = 16;

/** The fastest level. Higher levels are slower and save at most 10 %. */
const GZIP_LEVEL = 1;

export const pageStore: PageStore = {
  /** Compresses the pages in this thread, because all threads wait for the writer. */
  async put(pages) {
    for (const batch of batches(pages, BATCH)) {
      const packed = batch.map(({ address, page }) => ({
        address,
        body: gzipSync(JSON.stringify(page), { level: GZIP_LEVEL }),
      }));
      await store().write.pageStore.put(packed);
    }
  },
  get: async (addresses) => store().read.pageStore.get(addresses),
  async remove(addresses) {
    for (const batch of batches(addresses, BATCH)) await store().write.pageStore.remove(batch);
  },
  list: async (site, query) => store().read.pageStore.list(site, query),
  removeBelow: async (siteId, generation, limit) => store().write.pageStore.removeBelow(siteId, generation, limit),
};

export const pageStoreReader: PageStoreReader = pageStore;
