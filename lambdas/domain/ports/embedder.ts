import type { EmbeddedText } from '../../text/words/builtin-vector.ts';
import type { CosineScale } from '../../text/words/cosine-scale.ts';

export type { EmbeddedText };

/** A page that is being indexed, with the vectors of its chunks. */
export type EmbeddedPage = { readonly url: string; readonly title: string; readonly vectors: readonly Float32Array[] };

/** Pays for the calls of a provider and limits their time. A free embedder does not use it. */
export type EmbeddingAccount = {
  /** Called before texts are sent. Throws `AiBudgetError` if nothing may be spent. */
  readonly admit: () => Promise<void>;
  /** Called after each call of the provider, with the tokens that it counted. */
  readonly charge: (model: string, tokens: number) => Promise<void>;
  /** Returns the milliseconds left for texts. @default each request has its own time limit */
  readonly timeLeft?: (() => number) | undefined;
};

/** Makes vectors of one embedding space. Throws `UnavailableError` if the provider does not answer. */
export interface Embedder {
  /** Names provider, model, dimensions and table. Vectors of different spaces are never compared. */
  readonly space: string;
  readonly dimensions: number;
  /** Set if calls cost no money. */
  readonly isFree?: true;
  /**
   * Returns one vector of length 1 per text, in order; undefined for a text without meaning, such as an empty one. The
   * language (BCP 47) may decide on the block. Throws `AppError` if the provider rejects the request.
   */
  embedTexts(
    texts: readonly { readonly text: string; readonly language?: string | undefined }[],
    account?: EmbeddingAccount,
  ): Promise<readonly (EmbeddedText | undefined)[]>;
  /** Returns the scale of the space's cosines as measured on indexed pages; undefined while too few were measured. */
  scale?(): Promise<CosineScale | undefined>;
  /** Measures the scale with some of these pages. An outage is ignored. */
  measure?(pages: readonly EmbeddedPage[], account?: EmbeddingAccount): Promise<void>;
  /**
   * Returns whether a folded word is a common word of the space's language. Absent if the embedder does not know words.
   */
  isWord?(word: string): Promise<boolean>;
  /**
   * Returns the vector of a query: its dot product with a text's vector is the cosine, in every block. Undefined for a
   * query without meaning. Throws `UnavailableError` for every failure of the provider, at the latest after
   * `deadlineMs`.
   */
  embedQuery(query: string, deadlineMs: number, account?: EmbeddingAccount): Promise<Float32Array | undefined>;
}
