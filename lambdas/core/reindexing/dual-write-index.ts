import { isOutage } from '../errors.ts';
import { headed } from '../pages/index-entry.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { IndexEntry, PageIndex } from '../ports/page-index.ts';
import type { Space, SpaceRecord } from './index-registry.ts';

/** An index, and what makes its vectors. */
export type SpaceSide = { readonly index: PageIndex; readonly embedder: Embedder };

export type OpenSpace = (space: Space) => Promise<SpaceSide>;

type Moving = {
  /** What the vectors of entries come from that are put. */
  readonly own: Embedder;
  /** Of the entries: an index with another one is searched as it was, until the one that is being filled takes its place. */
  readonly layout: string;
  readonly spaces: () => Promise<SpaceRecord>;
  readonly open: OpenSpace;
};

/**
 * Index and embedder over whatever indices there are: pages are written to each that is in use, and searched in one. A query's vector
 * is searched in the index of its own space, also if the search moves on between the two.
 */
export function movingIndex({ own, layout, spaces, open }: Moving): {
  readonly pageIndex: PageIndex;
  readonly embedder: Embedder;
} {
  const sideOf = new WeakMap<Float32Array, SpaceSide>();
  const searched = async () => open((await spaces()).searched);
  const index = async () => (await searched()).index;
  const written = async () => Promise.all(writtenSpaces(await spaces(), layout).map(open));
  const embedder: Embedder = {
    space: own.space,
    dimensions: own.dimensions,
    embedTexts: (texts) => own.embedTexts(texts),
    async embedQuery(query, deadlineMs) {
      const side = await searched();
      const vector = await side.embedder.embedQuery(query, deadlineMs);
      if (vector) sideOf.set(vector, side);
      return vector;
    },
  };
  const pageIndex: PageIndex = {
    /** What fails after the first is written again, to all, by the same caller. */
    async put(entries, options) {
      for (const side of await written())
        await side.index.put(side.embedder === own ? entries : await entriesFor(side, entries), options);
    },
    async remove(pages, options) {
      for (const side of await written()) await side.index.remove(pages, options);
    },
    async removeBelow(siteId, generation, limit) {
      let isDone = true;
      for (const side of await written()) isDone = (await side.index.removeBelow(siteId, generation, limit)) && isDone;
      return isDone;
    },
    async refresh() {
      for (const side of await written()) await side.index.refresh();
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

const writtenSpaces = ({ searched, also }: SpaceRecord, layout: string): readonly Space[] =>
  [searched, ...(also ? [also] : [])].filter((space) => space.layout === layout);

/**
 * With the vectors of the side's space; without any where its embedder is away, as it may be for good when a provider was left. Entries
 * that had to go without go so everywhere: nobody waits for a second embedder when the first did not answer.
 */
async function entriesFor({ embedder }: SpaceSide, entries: readonly IndexEntry[]): Promise<readonly IndexEntry[]> {
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
