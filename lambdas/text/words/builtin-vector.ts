import type { VectorBlock } from './cosine-scale.ts';
import type { EmbeddingTable } from './embedding-table.ts';
import { HASH_DIMENSIONS, hashEmbedding } from './hash-embedding.ts';
import { hasDirection } from './normalize.ts';
import { primaryLanguage } from './stemmer.ts';

/** A text's vector, of length 1, and the kind that decides how its cosines are read. */
export type EmbeddedText = { readonly vector: Float32Array; readonly block: VectorBlock };

export const TABLE_DIMENSIONS = 256;
export const BUILTIN_DIMENSIONS = TABLE_DIMENSIONS + HASH_DIMENSIONS;
/**
 * Minimum familiarity of English text. English texts reach 0.85 to 0.95, French 0.55, German 0.4
 * (`embedder/README.md`).
 */
const ENGLISH_FAMILIARITY = 0.7;

/**
 * Returns the vector of a page's text: one block of unit length, the other zero. Undefined for a text without known
 * words.
 */
export function pageVector(table: EmbeddingTable, text: string, language?: string): EmbeddedText | undefined {
  const block = isEnglish(table, text, language) ? 'table' : 'hash';
  const vector = block === 'table' ? joined(table.embed(text), undefined) : joined(undefined, hashEmbedding(text));
  return vector && { vector, block };
}

/**
 * Returns a vector with both blocks, each of unit length or zero. Its dot product with a page's vector is the cosine in
 * the page's block.
 */
export function queryVector(table: EmbeddingTable, text: string): Float32Array | undefined {
  return joined(table.embed(text), hashEmbedding(text));
}

function isEnglish(table: EmbeddingTable, text: string, language = ''): boolean {
  const primary = primaryLanguage(language);
  return primary === '' ? table.familiarity(text) >= ENGLISH_FAMILIARITY : primary === 'en';
}

function joined(tableBlock: Float32Array | undefined, hashBlock: Float32Array | undefined): Float32Array | undefined {
  const vector = new Float32Array(BUILTIN_DIMENSIONS);
  if (tableBlock) vector.set(tableBlock);
  if (hashBlock) vector.set(hashBlock, TABLE_DIMENSIONS);
  return hasDirection(vector) ? vector : undefined;
}
