import { embedder } from '../../lambdas/connectors/embedder/configured.ts';
import { batchesBySize } from '../../lambdas/domain/batches.ts';
import type { OpenIndex } from '../../lambdas/domain/pages/reindexing/index-registry.ts';
import type { IndexReader } from '../../lambdas/domain/ports/index-reader.ts';
import type { IndexEntry, PageIndex, PageRemover, SiteScope } from '../../lambdas/domain/ports/page-index.ts';
import { pageBatch } from '../../lambdas/search-engine/page-batch.ts';
import { store } from '../threads/store.ts';
import { FairQueue } from './fair-queue.ts';

/** The most chunks of one call, unless a single page has more. Writes of other threads wait for it. */
const CHUNKS_PER_CALL = 100;

const searches = new FairQueue();

export const pageIndex: PageIndex = {
  async put(entries) {
    for (const batch of smallBatches(entries)) await store().write.pageIndex.put(pageBatch(batch));
  },
  remove: async (pages) => store().write.pageIndex.remove(pages),
  removeBelow: async (siteId, generation, limit) => store().write.pageIndex.removeBelow(siteId, generation, limit),
  /** Does nothing: writes are visible as soon as they are acknowledged. */
  refresh: async () => undefined,
  candidates: async (query) => inTurn(query, () => store().main.pageIndex.candidates(query)),
  vocabulary: async (query) => inTurn(query, () => store().main.pageIndex.vocabulary(query)),
  titled: async (query) => inTurn(query, () => store().main.pageIndex.titled(query)),
  facets: async (query) => inTurn(query, () => store().main.pageIndex.facets(query)),
  passages: async (refs) => store().read.pageIndex.passages(refs),
  find: async (scope, query) => store().read.pageIndex.find(scope, query),
};

/** Runs a search when it is the turn of its sites. */
async function inTurn<T>({ scopes }: { readonly scopes: readonly SiteScope[] }, search: () => Promise<T>): Promise<T> {
  await searches.turn(scopes.map(({ siteId }) => siteId).join(' '));
  return search();
}

export const pageFinder: IndexReader = pageIndex;
export const pageRemover: PageRemover = pageIndex;

/** Opens the one index, which serves all embedding spaces: a reindexed page replaces itself. */
export const openIndex: OpenIndex = async () => ({ index: pageIndex, embedder });
export const dropIndex = async (_: string): Promise<void> => undefined;

/** Splits entries into batches, each of one generation of a site. */
function smallBatches(entries: readonly IndexEntry[]): readonly (readonly IndexEntry[])[] {
  const byScope = Map.groupBy(entries, ({ siteId, generation }) => `${siteId} ${generation}`);
  const chunksOf = ({ chunks }: IndexEntry): number => chunks.length;
  return [...byScope.values()].flatMap((ofScope) => batchesBySize(ofScope, chunksOf, { size: CHUNKS_PER_CALL }));
}
