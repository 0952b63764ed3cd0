import type { IndexEntry } from '../../ports.ts';
import type { Block } from './vector-matrix.ts';

/** An entry as it goes to the engine: terms packed, vectors without the block that is empty. */
export type EntryRow = Omit<IndexEntry, 'chunks' | 'titleTerms'> & {
  readonly titleTerms: string;
  readonly words: string;
  readonly chunks: readonly ChunkRow[];
};

export type ChunkRow = {
  readonly ord: number;
  readonly length: number;
  readonly terms: string;
  readonly headings: readonly string[];
  readonly text: string;
  readonly block: string | null;
  readonly vector: Block | null;
};
