export type ChatMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

/** Token counts of the provider. */
export type ModelUsage = { readonly inputTokens: number; readonly outputTokens: number };

/** `isCut`: the text is incomplete, because it reached a limit or the provider withheld the rest. */
export type StreamEnd = ModelUsage & { readonly isCut?: true };

export type ModelRequest = {
  readonly messages: readonly ChatMessage[];
  /** Maximum number of tokens in the answer. */
  readonly maxTokens: number;
  /** Ends the provider's call when it is aborted. */
  readonly signal?: AbortSignal;
};

/** A request whose answer must be JSON of this schema. */
export type JsonRequest = ModelRequest & {
  readonly schema: { readonly name: string; readonly json: Readonly<Record<string, unknown>> };
  readonly deadlineMs: number;
};

/**
 * A language model. Methods throw `UnavailableError` for every temporary failure of the provider, and
 * `MisconfiguredError` if it rejects key or model; both within a minute, and at once while it fails repeatedly.
 */
export interface ChatModel {
  /** The provider's name of the model, by which its price is found. */
  readonly model: string;
  /** Streams a text of at most 12,000 characters in parts. */
  stream(request: ModelRequest): AsyncGenerator<string, StreamEnd>;
  /** Returns parsed JSON, which may not match the schema, before `deadlineMs` have passed. */
  complete(request: JsonRequest): Promise<{ readonly value: unknown; readonly usage: ModelUsage }>;
}
