import { BUILTIN_DIMENSIONS, TABLE_DIMENSIONS } from '../core/language/builtin-vector.ts';
import type { LabelledTerm } from '../core/language/labels.ts';
import type { TermsByPosition } from '../core/language/terms.ts';
import type { EmbeddedText } from '../core/ports/embedder.ts';
import type { IndexEntry, IndexedChunk } from '../core/ports/page-index.ts';
import { pathOf } from '../core/web/url.ts';
import { quantize } from './quantization.ts';
import { type BuiltChunk, SegmentBuilder } from './segment-builder.ts';
import { spelledTerm } from './spellings.ts';
import type { Block } from './vector-writer.ts';

/** Pages as they are put into the index: what is stored of them in tables, and one segment of all of them. */
export type PageBatch = { readonly pages: readonly PageRow[]; readonly segment: Uint8Array<ArrayBuffer> };

export type PageRow = Omit<IndexEntry, 'chunks' | 'titleTerms' | 'titleSpellings' | 'spellings'> & {
  /** `headings`: a JSON list, or an object with the sections if there are any. */
  readonly chunks: readonly { readonly ord: number; readonly headings: string; readonly text: string }[];
  readonly terms: number;
};

/** The ids of the pages in the segment are those of their places: whoever stores it sets others. */
export function pageBatch(entries: readonly IndexEntry[]): PageBatch {
  const builder = new SegmentBuilder();
  const pages = entries.map((entry, id) => {
    const { chunks, titleTerms, titleSpellings, spellings, ...page } = entry;
    const built = chunks.map((chunk) => builtChunk(chunk, builder));
    builder.add({
      ...{ id, titleLength: entry.titleLength, chunks: built, facts: packedFacts(entry) },
      titleTerms: distinct([...titleTerms, ...titleSpellings.map(spelledTerm)], builder),
      spellings: Uint32Array.from(spellings, (word) => builder.numberOf(spelledTerm(word))),
    });
    const rows = chunks.map(({ ord, headings, sections, text }) => ({
      ...{ ord, text },
      headings: JSON.stringify(sections.length > 0 ? { headings, sections } : headings),
    }));
    return { ...page, chunks: rows, terms: built.reduce((sum, { terms }) => sum + terms.length, 0) };
  });
  return { pages, segment: builder.build() };
}

function packedFacts(entry: IndexEntry): Uint8Array {
  const { urlHash, url, aliases, titleLength, language, publishedAt, tags, facts } = entry;
  const path = pathOf(url);
  return Buffer.from(JSON.stringify({ urlHash, url, path, aliases, titleLength, language, publishedAt, tags, facts }));
}

const distinct = (terms: readonly string[], builder: SegmentBuilder): Uint32Array =>
  Uint32Array.from(new Set(terms), (term) => builder.numberOf(term));

const builtChunk = (
  { ord, terms, labelled, linkShare, embedded }: IndexedChunk,
  builder: SegmentBuilder,
): BuiltChunk => ({
  ...{ ord, linkPercent: Math.round(linkShare * 100) },
  terms: termSequence(terms, builder),
  labels: Uint32Array.from(labelled, ({ term, length }: LabelledTerm) => (builder.numberOf(term) << 4) | length),
  block: embedded && blockOf(embedded),
});

function termSequence(terms: TermsByPosition, builder: SegmentBuilder): Uint32Array {
  const encoded: number[] = [];
  for (const alternatives of terms)
    for (const [i, term] of alternatives.entries()) encoded.push((builder.numberOf(term) << 1) | (i > 0 ? 1 : 0));
  return new Uint32Array(encoded);
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
