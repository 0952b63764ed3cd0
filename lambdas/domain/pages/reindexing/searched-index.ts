import type { Embedder } from '../../ports/embedder.ts';
import type { IndexReader } from '../../ports/index-reader.ts';
import type { IndexRegistry, OpenedIndex, OpenIndex } from './index-registry.ts';

type SearchedIndexOptions<Index extends IndexReader> = {
  /** The embedder of the process, which makes the vectors of texts. */
  readonly own: Embedder;
  readonly registry: () => Promise<IndexRegistry>;
  readonly open: OpenIndex<Index>;
};

/** Returns the index that is searched at present, with the embedder of its queries. */
export function searchedIndex<Index extends IndexReader>({
  own,
  registry,
  open,
}: SearchedIndexOptions<Index>): {
  readonly index: IndexReader;
  readonly embedder: Embedder;
} {
  const openedFor = new WeakMap<Float32Array, OpenedIndex<Index>>();
  const searched = async () => open((await registry()).searched);
  const embedder: Embedder = {
    space: own.space,
    dimensions: own.dimensions,
    embedTexts: (texts, account) => own.embedTexts(texts, account),
    scale: async () => (await searched()).embedder.scale?.(),
    measure: async (pages, account) => own.measure?.(pages, account),
    isWord: async (word) => (await searched()).embedder.isWord?.(word) ?? false,

    async embedQuery(query, deadlineMs, account) {
      const opened = await searched();
      const vector = await opened.embedder.embedQuery(query, deadlineMs, account);
      if (vector) openedFor.set(vector, opened);
      return vector;
    },
  };
  const reader = readerOf(async () => (await searched()).index);
  const index: IndexReader = {
    ...reader,
    /** A vector is searched in the index of its own embedding space. */
    async candidates(query) {
      const opened = query.vector && openedFor.get(query.vector);
      return (opened?.index ?? reader).candidates(query);
    },
  };
  return { index, embedder };
}

/** Reads the index for each call, because another one may be searched by then. */
export const readerOf = (index: () => Promise<IndexReader>): IndexReader => ({
  candidates: async (query) => (await index()).candidates(query),
  vocabulary: async (query) => (await index()).vocabulary(query),
  titled: async (query) => (await index()).titled(query),
  passages: async (refs) => (await index()).passages(refs),
  facets: async (query) => (await index()).facets(query),
  find: async (scope, query) => (await index()).find(scope, query),
});
