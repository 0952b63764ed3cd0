import type { Embedder, IndexEntry, PageIndex } from '../../adapters/ports.ts';
import { headed } from '../content/index-entry.ts';
import { AppError, UnavailableError } from '../errors.ts';

/** An index, and what makes its vectors. */
export type SpaceSide = { readonly index: PageIndex; readonly embedder: Embedder };

type Move = {
  /** Complete, and searched until all is moved. */
  readonly from: SpaceSide;
  /** Is being filled. */
  readonly to: SpaceSide;
  /** Which of the two is searched now. */
  readonly searched: () => Promise<SpaceSide>;
};

/**
 * Index and embedder while pages move from one embedding space to another: pages are written to both, and searched where `searched`
 * says. A query's vector is searched in the index of its own space, also if the search moves on between the two.
 */
export function movingIndex({ from, to, searched }: Move): {
  readonly pageIndex: PageIndex;
  readonly embedder: Embedder;
} {
  const sideOf = new WeakMap<Float32Array, SpaceSide>();
  const index = async () => (await searched()).index;
  const embedder: Embedder = {
    space: to.embedder.space,
    dimensions: to.embedder.dimensions,
    embedTexts: (texts) => to.embedder.embedTexts(texts),
    async embedQuery(query, deadlineMs) {
      const side = await searched();
      const vector = await side.embedder.embedQuery(query, deadlineMs);
      if (vector) sideOf.set(vector, side);
      return vector;
    },
  };
  const pageIndex: PageIndex = {
    /** First where it is searched: what fails after that is written again by the same caller. */
    async put(entries, options) {
      await from.index.put(await entriesFor(from, entries), options);
      await to.index.put(entries, options);
    },
    async remove(pages, options) {
      await from.index.remove(pages, options);
      await to.index.remove(pages, options);
    },
    async removeBelow(siteId, generation, limit) {
      const isDone = await from.index.removeBelow(siteId, generation, limit);
      return (await to.index.removeBelow(siteId, generation, limit)) && isDone;
    },
    async refresh() {
      await from.index.refresh();
      await to.index.refresh();
    },
    async candidates(query) {
      const side = query.vector && sideOf.get(query.vector);
      return (side?.index ?? (await index())).candidates(query);
    },
    passages: async (refs) => (await index()).passages(refs),
    facets: async (query) => (await index()).facets(query),
    find: async (scope, query) => (await index()).find(scope, query),
  };
  return { pageIndex, embedder };
}

/** With the vectors of the side's space; without any where its embedder is away, as it may be for good when a provider was left. */
async function entriesFor({ embedder }: SpaceSide, entries: readonly IndexEntry[]): Promise<readonly IndexEntry[]> {
  try {
    const texts = entries.flatMap(({ title, language, chunks }) =>
      chunks.map((chunk) => ({ text: headed(title, chunk), language })),
    );
    const vectors = (await embedder.embedTexts(texts)).values();
    return entries.map((entry) => ({
      ...entry,
      chunks: entry.chunks.map((chunk) => ({ ...chunk, embedded: vectors.next().value })),
    }));
  } catch (error) {
    const isOutage =
      error instanceof UnavailableError || (error instanceof AppError && error.code === 'upstream_unavailable');
    if (!isOutage) throw error;
    return entries.map((entry) => ({
      ...entry,
      chunks: entry.chunks.map(({ embedded: _, ...chunk }) => chunk),
    }));
  }
}
