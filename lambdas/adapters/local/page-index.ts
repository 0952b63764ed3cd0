import type { IndexEntry, IndexedChunk, PageIndex } from '../ports.ts';
import type { ChunkRow, EntryRow } from './engine/index-entry-row.ts';
import { packTerms, wordList } from './engine/packed-terms.ts';
import type { Block } from './engine/vector-matrix.ts';
import { engine } from './engine.ts';

/** So many chunks a call, or one page: a search waits for one call at most. */
const CHUNKS_PER_CALL = 50;

export const pageIndex: PageIndex = {
  /** What is answered is visible, however soon it had to be. */
  async put(entries) {
    for (const batch of smallBatches(entries)) await engine().call.pageIndex.put(batch.map(entryRow));
  },
  remove: async (pages) => engine().call.pageIndex.remove(pages),
  removeBelow: async (siteId, generation, limit) => engine().call.pageIndex.removeBelow(siteId, generation, limit),
  candidates: async (query) => engine().call.pageIndex.candidates(query),
  passages: async (refs) => engine().call.pageIndex.passages(refs),
  facets: async (query) => engine().call.pageIndex.facets(query),
  find: async (scope, query) => engine().call.pageIndex.find(scope, query),
};

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
  const words = new Set(titleTerms);
  for (const { terms } of chunks) for (const { term } of terms) words.add(term);
  return { ...page, titleTerms: wordList(titleTerms), words: wordList(words), chunks: chunks.map(chunkRow) };
}

function chunkRow({ ord, terms, headings, text, embedded }: IndexedChunk): ChunkRow {
  const { vector, block } = embedded ?? {};
  const packed = packTerms(terms);
  return {
    ord,
    length: terms.length,
    terms: packed,
    headings,
    text,
    block: block ?? null,
    vector: vector ? blockOf(vector) : null,
  };
}

/** The built-in vector has a block of its own for each kind of language: numbers 0 to 255, or 256 to 383. The other is empty. */
const TABLE_WIDTH = 256;
const BUILTIN_WIDTH = 384;

function blockOf(vector: Float32Array): Block {
  const isEmpty = (from: number, to: number) => vector.subarray(from, to).every((number) => number === 0);
  const cut = (start: number, end: number): Block => ({ start, of: vector.length, numbers: vector.slice(start, end) });
  if (vector.length === BUILTIN_WIDTH && isEmpty(TABLE_WIDTH, BUILTIN_WIDTH)) return cut(0, TABLE_WIDTH);
  if (vector.length === BUILTIN_WIDTH && isEmpty(0, TABLE_WIDTH)) return cut(TABLE_WIDTH, BUILTIN_WIDTH);
  return cut(0, vector.length);
}
