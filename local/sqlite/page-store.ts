import { gzipSync } from 'node:zlib';
import { batches } from '../../lambdas/domain/batches.ts';
import type { PageStore } from '../../lambdas/domain/ports/page-store.ts';
import { engine } from '../threads/store.ts';

/** Pages of one call. */
const BATCH = 16;

/** The fastest. Higher levels take longer and save at most 10 %. */
const GZIP_LEVEL = 1;

export const pageStore: PageStore = {
  /** Packs the pages in this thread, because all threads wait for the one that writes. */
  async put(pages) {
    for (const batch of batches(pages, BATCH)) {
      const packed = batch.map(({ address, page }) => ({
        address,
        body: gzipSync(JSON.stringify(page), { level: GZIP_LEVEL }),
      }));
      await engine().call('pageStore', 'put', packed);
    }
  },
  get: async (addresses) => engine().read(({ pageStore }) => pageStore.get(addresses)),
  async remove(addresses) {
    for (const batch of batches(addresses, BATCH)) await engine().call('pageStore', 'remove', batch);
  },
  list: async (site, query) => engine().read(({ pageStore }) => pageStore.list(site, query)),
  removeBelow: async (siteId, generation, limit) =>
    engine().call('pageStore', 'removeBelow', siteId, generation, limit),
};
