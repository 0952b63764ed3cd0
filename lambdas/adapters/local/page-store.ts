import type { PageStore } from '../../core/ports/page-store.ts';
import { batches } from '../batches.ts';
import { engine } from './engine/current.ts';

/** Pages per call. They are sent as JSON, which takes this thread less time than a structured clone. */
const BATCH = 16;

export const pageStore: PageStore = {
  async put(pages) {
    for (const batch of batches(pages, BATCH)) {
      const texts = batch.map(({ address, page }) => ({ address, json: JSON.stringify(page) }));
      await engine().call.pageStore.put(texts);
    }
  },

  async get(addresses) {
    const texts = engine().reads.pageStore.get(addresses);
    return texts.map((text) => (text === undefined ? undefined : JSON.parse(text)));
  },

  async remove(addresses) {
    for (const batch of batches(addresses, BATCH)) await engine().call.pageStore.remove(batch);
  },

  list: async (site, query) => engine().reads.pageStore.list(site, query),

  async removeBelow(siteId, generation, limit) {
    return engine().call.pageStore.removeBelow(siteId, generation, limit);
  },
};
