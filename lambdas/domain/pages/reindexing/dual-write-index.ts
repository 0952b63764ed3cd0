import { isOutage } from '../../errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { IndexEntry, PageIndex } from '../../ports/page-index.ts';
import { headed } from '../index-entry.ts';
import type { IndexRegistry, OpenedIndex, RegisteredIndex } from './index-registry.ts';
import { type SearchedIndexOptions, searchedIndex } from './searched-index.ts';

type DualWriteOptions = SearchedIndexOptions<PageIndex> & {
  /** The layout of the entries that are put. An index of another layout is searched, but not written. */
  readonly layout: string;
};

/** Writes pages to both registered indexes and searches one. A vector is searched in the index of its own space. */
export function dualWriteIndex(options: DualWriteOptions): {
  readonly pageIndex: PageIndex;
  readonly embedder: Embedder;
} {
  const { own, layout, registry, open } = options;
  const { indexReader, embedder } = searchedIndex(options);
  const written = async () => Promise.all(writtenIndices(await registry(), layout).map(open));
  const pageIndex: PageIndex = {
    ...indexReader,
    /** When the second index fails, the caller repeats the write to both. */
    async put(entries, visibility) {
      for (const opened of await written())
        await opened.index.put(opened.embedder === own ? entries : await embeddedBy(opened, entries), visibility);
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
