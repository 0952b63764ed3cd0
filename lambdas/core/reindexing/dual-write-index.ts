import { isOutage } from '../errors.ts';
import { headed } from '../pages/index-entry.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { IndexEntry, PageIndex } from '../ports/page-index.ts';
import type { IndexRegistry, OpenedIndex, OpenIndex, RegisteredIndex } from './index-registry.ts';

type DualWriteOptions = {
  /** Makes the vectors of the entries that are put. */
  readonly own: Embedder;
  /** The layout of those entries. An index of another layout is searched, but not written. */
  readonly layout: string;
  readonly registry: () => Promise<IndexRegistry>;
  readonly open: OpenIndex;
};

/** Writes pages to both registered indexes and searches one. A vector is searched in the index of its own space. */
export function dualWriteIndex({ own, layout, registry, open }: DualWriteOptions): {
  readonly pageIndex: PageIndex;
  readonly embedder: Embedder;
} {
  const openedFor = new WeakMap<Float32Array, OpenedIndex>();
  const searched = async () => open((await registry()).searched);
  const index = async () => (await searched()).index;
  const written = async () => Promise.all(writtenIndices(await registry(), layout).map(open));
  const embedder: Embedder = {
    space: own.space,
    dimensions: own.dimensions,
    embedTexts: (texts, account) => own.embedTexts(texts, account),
    isWord: async (word) => (await searched()).embedder.isWord?.(word) ?? false,

    async embedQuery(query, deadlineMs, account) {
      const opened = await searched();
      const vector = await opened.embedder.embedQuery(query, deadlineMs, account);
      if (vector) openedFor.set(vector, opened);
      return vector;
    },
  };
  const pageIndex: PageIndex = {
    /** When the second index fails, the caller repeats the write to both. */
    async put(entries, options) {
      for (const opened of await written())
        await opened.index.put(opened.embedder === own ? entries : await embeddedBy(opened, entries), options);
    },
    async remove(pages, options) {
      for (const opened of await written()) await opened.index.remove(pages, options);
    },
    async removeBelow(siteId, generation, limit) {
      let isDone = true;
      for (const opened of await written())
        isDone = (await opened.index.removeBelow(siteId, generation, limit)) && isDone;
      return isDone;
    },
    async refresh() {
      for (const opened of await written()) await opened.index.refresh();
    },
    async candidates(query) {
      const opened = query.vector && openedFor.get(query.vector);
      return (opened?.index ?? (await index())).candidates(query);
    },
    vocabulary: async (query) => (await index()).vocabulary(query),
    titled: async (query) => (await index()).titled(query),
    passages: async (refs) => (await index()).passages(refs),
    facets: async (query) => (await index()).facets(query),
    find: async (scope, query) => (await index()).find(scope, query),
  };
  return { pageIndex, embedder };
}

const writtenIndices = ({ searched, secondary }: IndexRegistry, layout: string): readonly RegisteredIndex[] =>
  [searched, ...(secondary ? [secondary] : [])].filter((index) => index.layout === layout);

/**
 * The entries with vectors of the index's space; without vectors while its embedder is unavailable, which may be for
 * good after a change of provider. Entries that came without vectors stay without: one outage of an embedder is waited
 * for, not two.
 */
async function embeddedBy({ embedder }: OpenedIndex, entries: readonly IndexEntry[]): Promise<readonly IndexEntry[]> {
  if (!entries.some(({ chunks }) => chunks.some(({ embedded }) => embedded))) return entries;
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
    if (!isOutage(error)) throw error;
    return entries.map((entry) => ({
      ...entry,
      chunks: entry.chunks.map(({ embedded: _, ...chunk }) => chunk),
    }));
  }
}
