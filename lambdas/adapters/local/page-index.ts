import type { EmbeddedText } from '../../core/ports/embedder.ts';
import type { IndexEntry, PageIndex } from '../../core/ports/page-index.ts';
import type { OpenIndex } from '../../core/reindexing/dual-write-index.ts';
import { embedder } from '../embedder.ts';
import type { Block, EntryRow } from './engine/index-entry-row.ts';
import { shortNumbers } from './engine/int16-quantization.ts';
import { PageTerms } from './engine/page-terms.ts';
import { packVectors } from './engine/page-vectors.ts';
import { engine } from './engine.ts';

/** What makes the vectors of pages and of queries to them. */
export { embedder };

/** So many chunks a call, or one page: a search waits for one call at most. */
const CHUNKS_PER_CALL = 50;

export const pageIndex: PageIndex = {
  /** What is answered is visible, however soon it had to be. */
  async put(entries) {
    for (const batch of smallBatches(entries)) await engine().call.pageIndex.put(batch.map(entryRow));
  },
  remove: async (pages) => engine().call.pageIndex.remove(pages),
  removeBelow: async (siteId, generation, limit) => engine().call.pageIndex.removeBelow(siteId, generation, limit),
  refresh: async () => undefined,
  candidates: async (query) => engine().call.pageIndex.candidates(query),
  passages: async (refs) => engine().call.pageIndex.passages(refs),
  facets: async (query) => engine().call.pageIndex.facets(query),
  find: async (scope, query) => engine().call.pageIndex.find(scope, query),
};

/** There is one index, which takes pages of any space: one that is moved replaces itself. */
export const openIndex: OpenIndex = async () => ({ index: pageIndex, embedder });
export const dropIndex = async (_: string): Promise<void> => undefined;

function smallBatches(entries: readonly IndexEntry[]): readonly (readonly IndexEntry[])[] {
  const made: IndexEntry[][] = [];
  let chunks = Infinity;
  for (const entry of entries) {
    chunks += entry.chunks.length;
    if (chunks > CHUNKS_PER_CALL) {
      made.push([]);
      chunks = entry.chunks.length;
    }
    made.at(-1)?.push(entry);
  }
  return made;
}

function entryRow({ chunks, titleTerms, ...page }: IndexEntry): EntryRow {
  const terms = new PageTerms();
  const title = terms.placesOf(titleTerms);
  const rows = chunks.map(({ embedded: _, labelled, ...chunk }) => ({
    ...chunk,
    terms: terms.sequence(chunk.terms),
    labels: terms.labels(labelled),
  }));
  const vectors = packVectors(chunks.map(({ embedded }) => embedded && blockOf(embedded)));
  return { ...page, words: terms.words, titleTerms: title, chunks: rows, vectors };
}

/** The built-in vector has a block of its own for each kind of language: numbers 0 to 255, or 256 to 383. The other is empty. */
const TABLE_WIDTH = 256;
const BUILTIN_WIDTH = 384;

function blockOf({ vector, block: kind }: EmbeddedText): Block {
  const isEmpty = (from: number, to: number) => vector.subarray(from, to).every((number) => number === 0);
  const cut = (start: number, end: number): Block => ({
    ...{ kind, start, of: vector.length },
    numbers: shortNumbers(vector.subarray(start, end)),
  });
  if (vector.length === BUILTIN_WIDTH && isEmpty(TABLE_WIDTH, BUILTIN_WIDTH)) return cut(0, TABLE_WIDTH);
  if (vector.length === BUILTIN_WIDTH && isEmpty(0, TABLE_WIDTH)) return cut(TABLE_WIDTH, BUILTIN_WIDTH);
  return cut(0, vector.length);
}
