import type { IndexEntry, IndexedChunk, PageIndex } from '../ports.ts';
import { batches } from './batches.ts';
import type { ChunkRow, EntryRow } from './engine/index-entry-row.ts';
import { packTerms, wordList } from './engine/packed-terms.ts';
import { engine } from './engine.ts';

/** So many pages a call: a search waits for one of them at most. */
const BATCH = 5;

export const pageIndex: PageIndex = {
  /** What is answered is visible, however soon it had to be. */
  async put(entries) {
    for (const batch of batches(entries, BATCH)) await engine().call.pageIndex.put(batch.map(entryRow));
  },
  remove: async (pages) => engine().call.pageIndex.remove(pages),
  removeBelow: async (siteId, generation, limit) => engine().call.pageIndex.removeBelow(siteId, generation, limit),
  candidates: async (query) => engine().call.pageIndex.candidates(query),
  passages: async (refs) => engine().call.pageIndex.passages(refs),
  facets: async (query) => engine().call.pageIndex.facets(query),
  find: async (scope, query) => engine().call.pageIndex.find(scope, query),
};

function entryRow({ chunks, titleTerms, ...page }: IndexEntry): EntryRow {
  const words = new Set(titleTerms);
  for (const { terms } of chunks) for (const { term } of terms) words.add(term);
  return { ...page, titleTerms: wordList(titleTerms), words: wordList(words), chunks: chunks.map(chunkRow) };
}

function chunkRow({ ord, terms, headings, text, embedded }: IndexedChunk): ChunkRow {
  const { start, vector } = embedded ? withoutZeros(embedded.vector) : { start: null, vector: null };
  return {
    ord,
    length: terms.length,
    terms: packTerms(terms),
    headings,
    text,
    block: embedded?.block ?? null,
    vectorStart: start,
    vector,
  };
}

/** The built-in vector has a block of its own for each kind of language: numbers 0 to 255, or 256 to 383. The other is empty. */
const TABLE_WIDTH = 256;
const BUILTIN_WIDTH = 384;

function withoutZeros(vector: Float32Array): { readonly start: number; readonly vector: Float32Array } {
  if (vector.length !== BUILTIN_WIDTH) return { start: 0, vector: vector.slice() };
  if (vector.subarray(TABLE_WIDTH).every((number) => number === 0))
    return { start: 0, vector: vector.slice(0, TABLE_WIDTH) };
  if (vector.subarray(0, TABLE_WIDTH).every((number) => number === 0))
    return { start: TABLE_WIDTH, vector: vector.slice(TABLE_WIDTH) };
  return { start: 0, vector: vector.slice() };
}
