import { embedder } from '../../lambdas/connectors/embedder/configured.ts';
import { batchesBySize } from '../../lambdas/domain/batches.ts';
import type { OpenIndex } from '../../lambdas/domain/pages/reindexing/index-registry.ts';
import type {
  IndexEntry,
  IndexReader,
  PageIndex,
  PageRemover,
  SiteScope,
} from '../../lambdas/domain/ports/page-index.ts';
import { pageBatch } from '../../lambdas/search-engine/page-batch.ts';
import { siteTurns } from '../server/site-turns.ts';
import { engine } from '../threads/current.ts';

/** Writes of other threads wait for one call, so it has at most this number of chunks, or one page. */
const CHUNKS_PER_CALL = 100;

export const pageIndex: PageIndex = {
  async put(entries) {
    for (const batch of smallBatches(entries)) await engine().call('pageIndex', 'put', pageBatch(batch));
  },
  remove: async (pages) => engine().call('pageIndex', 'remove', pages),
  removeBelow: async (siteId, generation, limit) =>
    engine().call('pageIndex', 'removeBelow', siteId, generation, limit),
  /** Writes are visible as soon as they are answered. */
  refresh: async () => undefined,
  candidates: async (query) => inTurn(query, () => engine().call('pageIndex', 'candidates', query)),
  vocabulary: async (query) => inTurn(query, () => engine().call('pageIndex', 'vocabulary', query)),
  titled: async (query) => inTurn(query, () => engine().call('pageIndex', 'titled', query)),
  facets: async (query) => inTurn(query, () => engine().call('pageIndex', 'facets', query)),
  passages: async (refs) => engine().read(({ pageIndex }) => pageIndex.passages(refs)),
  find: async (scope, query) => engine().read(({ pageIndex }) => pageIndex.find(scope, query)),
};

/** Searches when it is the turn of these sites. */
async function inTurn<T>({ scopes }: { readonly scopes: readonly SiteScope[] }, search: () => Promise<T>): Promise<T> {
  await siteTurns.goOn(scopes.map(({ siteId }) => siteId).join(' '));
  return search();
}

export const pageFinder: IndexReader = pageIndex;
export const pageRemover: PageRemover = pageIndex;

/** There is one index for all embedding spaces: a page that is reindexed replaces itself. */
export const openIndex: OpenIndex = async () => ({ index: pageIndex, embedder });
export const dropIndex = async (_: string): Promise<void> => undefined;

/** Batches of entries, each of one generation of a site. */
function smallBatches(entries: readonly IndexEntry[]): readonly (readonly IndexEntry[])[] {
  const byScope = Map.groupBy(entries, ({ siteId, generation }) => `${siteId} ${generation}`);
  const chunksOf = ({ chunks }: IndexEntry): number => chunks.length;
  return [...byScope.values()].flatMap((ofScope) => batchesBySize(ofScope, chunksOf, { size: CHUNKS_PER_CALL }));
}
