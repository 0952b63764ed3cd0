import type { VectorBlock } from '../search/ranking.ts';

export type EmbeddedText = { readonly vector: Float32Array; readonly block: VectorBlock };

/** Texts to vectors of one space. Both methods throw `UnavailableError` when a provider does not answer. */
export interface Embedder {
  /** Names provider, model, dimensions and table: vectors of different spaces are never compared. */
  readonly space: string;
  readonly dimensions: number;
  /** In the order of the texts; undefined where a text gives no evidence. The language decides on the block. */
  embedTexts(
    texts: readonly { readonly text: string; readonly language?: string | undefined }[],
  ): Promise<readonly (EmbeddedText | undefined)[]>;
  /** Comparable by dot product with the vectors of every block: the product is the cosine. */
  embedQuery(query: string, deadlineMs: number): Promise<Float32Array | undefined>;
}
