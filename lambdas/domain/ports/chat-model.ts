export type ChatMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

/** Tokens as the provider counts them. */
export type ModelUsage = { readonly inputTokens: number; readonly outputTokens: number };

/** `isCut`: the text is not complete, because it reached a limit or the provider withheld the rest. */
export type StreamEnd = ModelUsage & { readonly isCut?: true };

export type ModelRequest = {
  readonly messages: readonly ChatMessage[];
  /** Longest answer. */
  readonly maxTokens: number;
  /** When it is aborted, the provider's call ends. */
  readonly signal?: AbortSignal;
};

/** The answer must be JSON of this schema. */
export type JsonRequest = ModelRequest & {
  readonly schema: { readonly name: string; readonly json: Readonly<Record<string, unknown>> };
  readonly deadlineMs: number;
};

/**
 * A language model. Methods throw `UnavailableError` for every failure of the provider that may pass, and
 * `MisconfiguredError` when it rejects key or model; both within a minute, and at once while it fails repeatedly.
 */
export interface ChatModel {
  /** The provider's name of the model, by which its price is known. */
  readonly model: string;
  /** Streams a text of at most 12,000 characters in parts. */
  stream(request: ModelRequest): AsyncGenerator<string, StreamEnd>;
  /** Answers parsed JSON, which may not match the schema, until `deadlineMs` have passed. */
  complete(request: JsonRequest): Promise<{ readonly value: unknown; readonly usage: ModelUsage }>;
}
