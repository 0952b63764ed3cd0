import type { EmbeddedText } from '../domain/ports/embedder.ts';
import type { IndexEntry, IndexedChunk } from '../domain/ports/page-index.ts';
import { pathOf } from '../text/web/url.ts';
import { BUILTIN_DIMENSIONS, TABLE_DIMENSIONS } from '../text/words/builtin-vector.ts';
import { quantize } from './quantization.ts';
import { type BuiltChunk, type BuiltPage, SegmentBuilder } from './segment-builder.ts';
import type { VectorPart } from './vector-writer.ts';

/** Pages to add to the index: their table rows, and one segment of all of them. */
export type EntryBatch = { readonly pages: readonly PageRow[]; readonly segment: Uint8Array<ArrayBuffer> };

export type PageRow = Omit<IndexEntry, 'chunks' | 'titleTerms' | 'titleSpellings' | 'spellings'> & {
  /** `headings`: a JSON list, or an object with the sections if there are any. */
  readonly chunks: readonly { readonly ord: number; readonly headings: string; readonly text: string }[];
  readonly terms: number;
};

/**
 * Builds the rows and the segment of some pages. Page ids in the segment are indexes in the batch; the store replaces
 * them.
 */
export function pageBatch(entries: readonly IndexEntry[]): EntryBatch {
  const builder = new SegmentBuilder();
  const built: BuiltPage[] = [];
  const pages = entries.map((entry, id) => {
    const { chunks, titleTerms, titleSpellings, spellings, ...page } = entry;
    const builtChunks = chunks.map((chunk) => builtChunk(chunk, builder));
    built.push({
      id,
      titleLength: entry.titleLength,
      chunks: builtChunks,
      facts: packedFacts(entry),
      titleTerms: new Uint32Array([
        ...[...new Set(titleTerms)].map((term) => builder.numberOf(term)),
        ...[...new Set(titleSpellings)].map((word) => builder.numberOfSpelled(word)),
      ]),
      spellings: new Uint32Array(spellings.map((word) => builder.numberOfSpelled(word))),
    });
    const rows = chunks.map(({ ord, headings, sections, text }) => ({
      ord,
      text,
      headings: JSON.stringify(sections.length > 0 ? { headings, sections } : headings),
    }));
    return { ...page, chunks: rows, terms: builtChunks.reduce((sum, { terms }) => sum + terms.length, 0) };
  });
  return { pages, segment: builder.build(built) };
}

function packedFacts(entry: IndexEntry): Uint8Array {
  const { urlHash, url, aliases, titleLength, language, publishedAt, tags, facts } = entry;
  const path = pathOf(url);
  return Buffer.from(JSON.stringify({ urlHash, url, path, aliases, titleLength, language, publishedAt, tags, facts }));
}

const builtChunk = (
  { ord, terms, labelled, linkShare, embedded }: IndexedChunk,
  builder: SegmentBuilder,
): BuiltChunk => ({
  ord,
  linkPercent: Math.round(linkShare * 100),
  terms: termSequence(terms, builder),
  labels: new Uint32Array(labelled.map(({ term, length }) => (builder.numberOf(term) << 4) | length)),
  block: embedded && blockOf(embedded),
});

function termSequence(terms: IndexedChunk['terms'], builder: SegmentBuilder): Uint32Array {
  const encoded: number[] = [];
  for (let position = 0; position < terms.length; position++) {
    const alternatives = terms[position] as readonly string[];
    for (let i = 0; i < alternatives.length; i++)
      encoded.push((builder.numberOf(alternatives[i] as string) << 1) | (i > 0 ? 1 : 0));
  }
  return new Uint32Array(encoded);
}

/** A built-in vector has two blocks, one of which is zero (builtin-vector.ts). Only the other one is stored. */
function blockOf({ vector, block: kind }: EmbeddedText): VectorPart {
  const isZero = (from: number, to: number) => {
    for (let i = from; i < to; i++) if (vector[i] !== 0) return false;
    return true;
  };
  const block = (start: number, end: number): VectorPart => ({
    kind,
    start,
    dimensions: vector.length,
    numbers: quantize(vector.subarray(start, end)),
  });
  const isBuiltin = vector.length === BUILTIN_DIMENSIONS;
  if (isBuiltin && isZero(TABLE_DIMENSIONS, BUILTIN_DIMENSIONS)) return block(0, TABLE_DIMENSIONS);
  if (isBuiltin && isZero(0, TABLE_DIMENSIONS)) return block(TABLE_DIMENSIONS, BUILTIN_DIMENSIONS);
  return block(0, vector.length);
}
