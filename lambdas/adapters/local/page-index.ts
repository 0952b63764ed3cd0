import { BUILTIN_DIMENSIONS, TABLE_DIMENSIONS } from '../../core/language/builtin-vector.ts';
import type { EmbeddedText } from '../../core/ports/embedder.ts';
import type { IndexEntry, PageIndex } from '../../core/ports/page-index.ts';
import { embedder } from '../embedder/configured.ts';
import type { Block, EntryRow } from './engine/index-entry-row.ts';
import { quantize } from './engine/int16-quantization.ts';
import { PageVocabulary } from './engine/page-vocabulary.ts';
import { packVectors } from './engine/vector-encoding.ts';
import { engine } from './engine.ts';

export { embedder };

/** A search may wait for one call, so a call has at most this number of chunks, or one page. */
const CHUNKS_PER_CALL = 50;

export const pageIndex: PageIndex = {
  async put(entries) {
    for (const batch of smallBatches(entries)) await engine().call.pageIndex.put(batch.map(entryRow));
  },
  remove: async (pages) => engine().call.pageIndex.remove(pages),
  removeBelow: async (siteId, generation, limit) => engine().call.pageIndex.removeBelow(siteId, generation, limit),
  /** Writes are visible as soon as they are answered. */
  refresh: async () => undefined,
  candidates: async (query) => engine().call.pageIndex.candidates(query),
  vocabulary: async (query) => engine().call.pageIndex.vocabulary(query),
  titled: async (query) => engine().call.pageIndex.titled(query),
  passages: async (refs) => engine().call.pageIndex.passages(refs),
  facets: async (query) => engine().call.pageIndex.facets(query),
  find: async (scope, query) => engine().call.pageIndex.find(scope, query),
};

function smallBatches(entries: readonly IndexEntry[]): readonly (readonly IndexEntry[])[] {
  const result: IndexEntry[][] = [];
  let chunks = Infinity;
  for (const entry of entries) {
    chunks += entry.chunks.length;
    if (chunks > CHUNKS_PER_CALL) {
      result.push([]);
      chunks = entry.chunks.length;
    }
    result.at(-1)?.push(entry);
  }
  return result;
}

function entryRow({ chunks, titleTerms, spellings, ...page }: IndexEntry): EntryRow {
  const vocabulary = new PageVocabulary();
  const title = vocabulary.encodeDistinct(titleTerms);
  const rows = chunks.map(({ embedded: _, labelled, ...chunk }) => ({
    ...chunk,
    terms: vocabulary.encodeSequence(chunk.terms),
    labels: vocabulary.encodeLabels(labelled),
  }));
  const vectors = packVectors(chunks.map(({ embedded }) => embedded && blockOf(embedded)));
  const spelled = vocabulary.encodeSpellings(spellings);
  return { ...page, vocabulary: vocabulary.joined, titleTerms: title, spellings: spelled, chunks: rows, vectors };
}

/** A built-in vector has two blocks, one of which is zero (builtin-vector.ts). Only the other one is stored. */
function blockOf({ vector, block: kind }: EmbeddedText): Block {
  const isZero = (from: number, to: number) => vector.subarray(from, to).every((number) => number === 0);
  const block = (start: number, end: number): Block => ({
    ...{ kind, start, dimensions: vector.length },
    numbers: quantize(vector.subarray(start, end)),
  });
  const isBuiltin = vector.length === BUILTIN_DIMENSIONS;
  if (isBuiltin && isZero(TABLE_DIMENSIONS, BUILTIN_DIMENSIONS)) return block(0, TABLE_DIMENSIONS);
  if (isBuiltin && isZero(0, TABLE_DIMENSIONS)) return block(TABLE_DIMENSIONS, BUILTIN_DIMENSIONS);
  return block(0, vector.length);
}
