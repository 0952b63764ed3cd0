import type { IndexEntry } from '../../../core/ports/page-index.ts';
import type { VectorBlock } from '../../../core/search/ranking.ts';

/** An entry as it goes to the engine. */
export type EntryRow = Omit<IndexEntry, 'chunks' | 'titleTerms'> & {
  /** Its distinct terms, joined by blanks: what follows names them by their places. */
  readonly words: string;
  readonly titleTerms: Uint32Array;
  readonly chunks: readonly ChunkRow[];
  readonly vectors: Int16Array<ArrayBuffer>;
};

export type ChunkRow = {
  readonly ord: number;
  readonly headings: readonly string[];
  readonly text: string;
  /** Places of words times two, plus one for a term at the position of the one before it. */
  readonly terms: Uint32Array;
  /** Places of labelled words times 16, plus the lengths of their labels. */
  readonly labels: Uint32Array;
  /** 0 to 1. */
  readonly linkShare: number;
};

/** A block of a chunk's vector: the numbers from `start` on of `of` numbers; the others are zeros. */
export type Block = {
  readonly kind: VectorBlock;
  readonly start: number;
  readonly of: number;
  readonly numbers: Int16Array;
};
