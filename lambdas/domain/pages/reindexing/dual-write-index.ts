import { isOutage } from '../../errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { IndexEntry, PageIndex } from '../../ports/page-index.ts';
import { headed } from '../index-entry.ts';
import type { IndexRegistry, IndexSpec, RegisteredIndex } from './index-registry.ts';
import { readerOf } from './searched-index.ts';

type DualWriteOptions = {
  /** The layout of the entries. An index with another layout is searched but not written. */
  readonly layout: string;
  readonly registry: () => Promise<IndexRegistry>;
  readonly open: (index: RegisteredIndex) => PageIndex;
  /** The embedder of the entries' vectors, and those of the indexes. Called only for entries with vectors. */
  readonly embedders: () => Promise<Embedders>;
};

type Embedders = {
  readonly embedder: Embedder;
  readonly embedderOf: (kind: IndexSpec) => Promise<Embedder>;
};

/** Writes pages to both registered indexes and searches one. */
export function dualWriteIndex({ layout, registry, open, embedders }: DualWriteOptions): PageIndex {
  const written = async () => writtenIndices(await registry(), layout);
  return {
    ...readerOf(async () => open((await registry()).searched)),
    /** If the second index fails, the caller repeats the write to both. */
    async put(entries, visibility) {
      for (const index of await written())
        await open(index).put(await entriesFor(index, entries, embedders), visibility);
    },
    async remove(pages, options) {
      for (const index of await written()) await open(index).remove(pages, options);
    },
    async removeBelow(siteId, generation, limit) {
      let isDone = true;
      for (const index of await written())
        isDone = (await open(index).removeBelow(siteId, generation, limit)) && isDone;
      return isDone;
    },
    async refresh() {
      for (const index of await written()) await open(index).refresh();
    },
  };
}

const writtenIndices = ({ searched, secondary }: IndexRegistry, layout: string): readonly RegisteredIndex[] =>
  [searched, ...(secondary ? [secondary] : [])].filter((index) => index.layout === layout);

/**
 * Returns the entries with vectors of the index's space. They have no vectors while its embedder is unavailable, which
 * may be permanent after a change of provider. Entries without vectors are returned unchanged, so that a write waits
 * for the outage of one embedder and not of two.
 */
async function entriesFor(
  index: RegisteredIndex,
  entries: readonly IndexEntry[],
  embedders: () => Promise<Embedders>,
): Promise<readonly IndexEntry[]> {
  if (!entries.some(({ chunks }) => chunks.some(({ embedded }) => embedded))) return entries;
  const { embedder: own, embedderOf } = await embedders();
  const embedder = await embedderOf(index);
  if (embedder === own) return entries;
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
