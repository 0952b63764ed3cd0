import type { VectorBlock } from '../search/ranking.ts';

export type EmbeddedText = { readonly vector: Float32Array; readonly block: VectorBlock };

/** Makes vectors of one embedding space. Throws `UnavailableError` when the provider does not answer. */
export interface Embedder {
  /** Names provider, model, dimensions and table. Vectors of different spaces are never compared. */
  readonly space: string;
  readonly dimensions: number;
  /**
   * One vector of length 1 per text, in order; undefined for a text without meaning, such as an empty one. The language
   * (BCP 47) may decide on the block. Throws `AppError` when the provider rejects the request.
   */
  embedTexts(
    texts: readonly { readonly text: string; readonly language?: string | undefined }[],
  ): Promise<readonly (EmbeddedText | undefined)[]>;
  /**
   * Its dot product with a text's vector is the cosine, in every block. Undefined for a query without meaning. Throws
   * `UnavailableError` for every failure of the provider, at the latest after `deadlineMs`.
   */
  embedQuery(query: string, deadlineMs: number): Promise<Float32Array | undefined>;
}
