import type { EmbeddedText } from '../../text/words/builtin-vector.ts';
import type { CosineScale } from '../../text/words/cosine-scale.ts';

export type { EmbeddedText };

/** A page that is being indexed, with the vectors of its chunks. */
export type EmbeddedPage = { readonly url: string; readonly title: string; readonly vectors: readonly Float32Array[] };

/** Who pays for the calls of a provider, and how long they may take. An embedder that costs nothing does not ask. */
export type EmbeddingAccount = {
  /** Called before texts are sent. Throws `AiBudgetError` if nothing may be spent. */
  readonly admit: () => Promise<void>;
  /** Called after each call of the provider, with the tokens that it counted. */
  readonly charge: (model: string, tokens: number) => Promise<void>;
  /** The milliseconds that are left for texts. @default each request has the time that it may take */
  readonly timeLeft?: (() => number) | undefined;
};

/** Makes vectors of one embedding space. Throws `UnavailableError` when the provider does not answer. */
export interface Embedder {
  /** Names provider, model, dimensions and table. Vectors of different spaces are never compared. */
  readonly space: string;
  readonly dimensions: number;
  /** Its calls cost no money. */
  readonly isFree?: true;
  /**
   * One vector of length 1 per text, in order; undefined for a text without meaning, such as an empty one. The language
   * (BCP 47) may decide on the block. Throws `AppError` when the provider rejects the request.
   */
  embedTexts(
    texts: readonly { readonly text: string; readonly language?: string | undefined }[],
    account?: EmbeddingAccount,
  ): Promise<readonly (EmbeddedText | undefined)[]>;
  /** How cosines of the space are read, as measured on indexed pages; undefined while too few were measured. */
  scale?(): Promise<CosineScale | undefined>;
  /** Measures the scale with some of these pages. An outage is ignored. */
  measure?(pages: readonly EmbeddedPage[], account?: EmbeddingAccount): Promise<void>;
  /** Whether a folded word is a common word of the language that the space is for. Absent if it does not know words. */
  isWord?(word: string): Promise<boolean>;
  /**
   * The vector of a query: its dot product with a text's vector is the cosine, in every block. Undefined for a query
   * without meaning. Throws `UnavailableError` for every failure of the provider, at the latest after `deadlineMs`.
   */
  embedQuery(query: string, deadlineMs: number, account?: EmbeddingAccount): Promise<Float32Array | undefined>;
}
