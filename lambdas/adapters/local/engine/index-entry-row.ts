import type { ChunkSection } from '../../../core/content/chunking/chunks.ts';
import type { IndexEntry } from '../../../core/ports/page-index.ts';
import type { VectorBlock } from '../../../core/search/cosine-scale.ts';

/** An index entry as sent to the engine: each distinct term once, and everywhere else its index in the vocabulary. */
export type EntryRow = Omit<IndexEntry, 'chunks' | 'titleTerms' | 'spellings'> & {
  /** The distinct terms, joined by spaces. */
  readonly vocabulary: string;
  readonly titleTerms: Uint32Array;
  readonly spellings: Uint32Array;
  readonly chunks: readonly ChunkRow[];
  /** As `packVectors` encodes them. */
  readonly vectors: Int16Array<ArrayBuffer>;
};

export type ChunkRow = {
  readonly ord: number;
  readonly headings: readonly string[];
  readonly sections: readonly ChunkSection[];
  readonly text: string;
  /** Index of the term * 2, plus 1 if it has the same position as the term before it. */
  readonly terms: Uint32Array;
  /** Index of the labelled term * 16, plus the length of its label. */
  readonly labels: Uint32Array;
  /** 0 to 1. */
  readonly linkShare: number;
};

/** The non-zero part of a chunk's vector: the numbers from `start` on, of a vector of `dimensions` numbers. */
export type Block = {
  readonly kind: VectorBlock;
  readonly start: number;
  readonly dimensions: number;
  readonly numbers: Int16Array;
};

/** The column `headings`: a JSON list, or an object with the sections if there are any. */
export const packHeadings = ({ headings, sections }: Pick<ChunkRow, 'headings' | 'sections'>): string =>
  JSON.stringify(sections.length > 0 ? { headings, sections } : headings);

export function unpackHeadings(column: string): Pick<ChunkRow, 'headings' | 'sections'> {
  const stored = JSON.parse(column) as readonly string[] | Pick<ChunkRow, 'headings' | 'sections'>;
  return 'sections' in stored ? stored : { headings: stored, sections: [] };
}
