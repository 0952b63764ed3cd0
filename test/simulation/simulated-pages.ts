import type { Embedder } from '../../lambdas/domain/ports/embedder.ts';
import type { IndexEntry, PageIndex } from '../../lambdas/domain/ports/page-index.ts';
import type { PageReader } from '../../lambdas/domain/ports/page-reader.ts';
import type { PageAddress, PageStore } from '../../lambdas/domain/ports/page-store.ts';
import { extractPage } from '../../lambdas/text/extraction/extract-page.ts';
import type { PageStoreState } from '../support/memory/page-store.ts';
import type { PageIndexState } from './page-index-state.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** Checks texts and index entries before they are put. */
export type PageGuard = {
  readonly text: (process: SimulatedProcess, address: PageAddress, isFree: boolean) => void;
  readonly entry: (process: SimulatedProcess, entry: IndexEntry) => void;
};

const begun = <T>(items: readonly T[], share: number): readonly T[] => items.slice(0, Math.ceil(items.length * share));

/** The page store as a process sees it. */
export function simulatedPageStore(process: SimulatedProcess, state: PageStoreState, guard: PageGuard): PageStore {
  return {
    put: (pages) =>
      process.call('pageStore', 'put', (share) => {
        for (const { address, page } of begun(pages, share)) guard.text(process, address, state.put(address, page));
      }),
    get: (addresses) => process.call('pageStore', 'get', () => addresses.map((address) => state.get(address))),
    remove: (addresses) =>
      process.call('pageStore', 'remove', (share) => {
        for (const address of begun(addresses, share)) state.remove(address);
      }),
    list: (site, query) => process.call('pageStore', 'list', () => state.list(site, query)),
    removeBelow: (siteId, generation, limit) =>
      process.call('pageStore', 'removeBelow', (share) => {
        const below = state.of(siteId).filter((address) => address.generation < generation);
        for (const address of begun(below.slice(0, limit), share)) state.remove(address);
        return below.length <= limit;
      }),
  };
}

/** The index as a process sees it, without searches. */
export function simulatedPageIndex(process: SimulatedProcess, state: PageIndexState, guard: PageGuard): PageIndex {
  const unused = () => Promise.reject(new Error('a crawl does not search'));
  return {
    put: (entries, { visible }) =>
      process.call('pageIndex', 'put', (share) => {
        for (const entry of begun(entries, share)) {
          guard.entry(process, entry);
          state.put(entry, visible);
        }
      }),
    remove: (pages) =>
      process.call('pageIndex', 'remove', (share) => {
        for (const page of begun(pages, share)) state.remove(page);
      }),
    removeBelow: (siteId, generation, limit) =>
      process.call('pageIndex', 'removeBelow', (share) => {
        const below = state.of(siteId, 'visible').filter((entry) => entry.generation < generation);
        for (const entry of begun(below.slice(0, limit), share)) state.remove(entry);
        return below.length <= limit;
      }),
    refresh: () => process.call('pageIndex', 'refresh', () => state.refresh()),
    candidates: unused,
    vocabulary: unused,
    titled: unused,
    passages: unused,
    facets: unused,
    find: unused,
  };
}

/** Gives every text the same vector, which a crawl does not look at. */
export function simulatedEmbedder(process: SimulatedProcess): Embedder {
  const vector = Float32Array.of(1);
  return {
    space: 'simulated',
    dimensions: 1,
    embedTexts: (texts) =>
      process.call('embedder', 'embedTexts', () => texts.map(() => ({ vector, block: 'model' as const }))),
    embedQuery: () => process.call('embedder', 'embedQuery', () => vector),
  };
}

export function simulatedPageReader(
  process: SimulatedProcess,
  random: SeededRandom,
  isLethal: (body: Uint8Array) => boolean,
): PageReader {
  return {
    async read(page) {
      await process.sleep(random.int(0, 40));
      if (isLethal(page.body)) {
        process.die('page');
        await process.sleep(0); // never, in a dead process
      }
      return extractPage(page);
    },
  };
}
