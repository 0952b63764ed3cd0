import OpenAI from 'openai';
import * as z from 'zod';
import { batchesBySize } from '../../domain/batches.ts';
import { AppError, MisconfiguredError, UnavailableError } from '../../domain/errors.ts';
import type { EmbeddedText, Embedder, EmbeddingAccount } from '../../domain/ports/embedder.ts';
import { plausibleTokens } from '../../domain/ports/rules/reported-usage.ts';
import { cut } from '../../text/words/folding.ts';
import { hasDirection, toUnitLength } from '../../text/words/normalize.ts';
import { limitedFetch, withProviderKey } from '../provider/provider-call.ts';
import type { ProviderKey } from '../provider/provider-key.ts';
import { providerSpace } from './space.ts';

/** The longest text, in characters: below the 8,192 tokens of common models in most scripts. A chunk is shorter. */
const MAX_TEXT_LENGTH = 8_000;
/** Limits of one request, below those of known servers: 2,048 texts and 300,000 tokens. */
const MAX_TEXTS = 128;
const MAX_CHARACTERS = 200_000;
/**
 * The time for one attempt, and for all attempts of a request for texts. A query has one attempt until its deadline.
 */
const ATTEMPT_MS = 15_000;
const REQUEST_MS = 45_000;
const RETRIES = 2;
/** The most bytes of a number in JSON, with its comma. */
const NUMBER_BYTES = 32;
/** The most bytes of an answer besides its numbers. */
const OTHER_BYTES = 1_000_000;

const Answer = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })),
  usage: z
    .object({ prompt_tokens: z.int().min(0) })
    .optional()
    .catch(undefined),
});

export type OpenaiEmbedderOptions = {
  readonly key: ProviderKey;
  /** The URL of a server with the OpenAI API, without `/embeddings`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly dimensions: number;
};

type Limits = { readonly timeout: number; readonly totalMs: number; readonly maxRetries: number };

/**
 * Creates an embedder that calls the OpenAI API. An invalid answer counts as `UnavailableError`. For texts,
 * `MisconfiguredError` means that the server rejected the key or model, or that its vectors have other dimensions.
 */
export function openaiEmbedder({ key, baseUrl, model, dimensions }: OpenaiEmbedderOptions): Embedder {
  const embed = async (
    texts: readonly string[],
    { totalMs, ...limits }: Limits,
    account: EmbeddingAccount | undefined,
  ): Promise<readonly (Float32Array | undefined)[]> => {
    const { vectors, tokens } = await withProviderKey(
      { key, api: 'embeddings', deadlineMs: totalMs },
      async (apiKey) => {
        // null, because the client would read missing options from the environment.
        const client = new OpenAI({
          apiKey,
          baseURL: baseUrl,
          organization: null,
          project: null,
          logLevel: 'off',
          fetch: limitedFetch(MAX_TEXTS * dimensions * NUMBER_BYTES + OTHER_BYTES),
        });
        const request = { model, dimensions, input: [...texts], encoding_format: 'float' as const };
        const answer = await client.embeddings.create(request, { ...limits, signal: AbortSignal.timeout(totalMs) });
        return embeddingsIn(answer, texts.length, dimensions);
      },
    );
    await account?.charge(model, plausibleTokens(tokens, texts));
    return vectors;
  };

  return {
    space: providerSpace({ baseUrl, model, dimensions }),
    dimensions,

    async embedTexts(texts, account) {
      const embedded: (EmbeddedText | undefined)[] = texts.map(() => undefined);
      const input = texts.map(({ text }) => cut(text, MAX_TEXT_LENGTH));
      for (const indices of embeddingBatches(input)) {
        const batch = indices.map((index) => input[index] ?? '');
        await account?.admit();
        const totalMs = Math.min(REQUEST_MS, account?.timeLeft?.() ?? REQUEST_MS);
        if (totalMs <= 0) throw new UnavailableError('no time is left for the embeddings API');
        const limits = { timeout: Math.min(ATTEMPT_MS, totalMs), totalMs, maxRetries: RETRIES };
        const vectors = await embed(batch, limits, account);
        for (const [i, index] of indices.entries()) {
          const vector = vectors[i];
          if (vector) embedded[index] = { vector, block: 'model' };
        }
      }
      return embedded;
    },

    async embedQuery(query, deadlineMs, account) {
      if (query.trim() === '') return undefined;
      try {
        const limits = { timeout: deadlineMs, totalMs: deadlineMs, maxRetries: 0 };
        const [vector] = await embed([query], limits, account);
        return vector;
      } catch (error) {
        // Every failure becomes an outage, after which a search uses words alone.
        throw error instanceof AppError ? new UnavailableError(error.message) : error;
      }
    },
  };
}

/** Returns the indexes of the texts, grouped by request. Leaves out blank texts, because servers reject them. */
export function embeddingBatches(texts: readonly string[]): readonly (readonly number[])[] {
  const written = [...texts.entries()].filter(([, text]) => text.trim() !== '');
  const batches = batchesBySize(written, ([, text]) => text.length, { size: MAX_CHARACTERS, most: MAX_TEXTS });
  return batches.map((batch) => batch.map(([index]) => index));
}

/**
 * Returns the vectors in the order of the texts, whatever the order of the answer, and the tokens if the server counts
 * them.
 */
function embeddingsIn(answer: unknown, count: number, dimensions: number) {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success) throw invalidAnswer('no list of vectors');
  const { data, usage } = parsed.data;
  if (data.length !== count) throw invalidAnswer(`${data.length} vectors for ${count} texts`);
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
  const vectors = Array.from({ length: count }, (_, index) => {
    const embedding = byIndex.get(index);
    if (!embedding) throw invalidAnswer(`no vector for text ${index}`);
    if (embedding.length !== dimensions) throw otherDimensions(embedding.length, dimensions);
    const vector = toUnitLength(Float32Array.from(embedding));
    return hasDirection(vector) && vector.every(Number.isFinite) ? vector : undefined;
  });
  return { vectors, tokens: usage?.prompt_tokens };
}

const invalidAnswer = (answer: string): UnavailableError =>
  new UnavailableError(`the embeddings API answered ${answer}`);

const otherDimensions = (answered: number, wanted: number): AppError =>
  new MisconfiguredError(`the embeddings API answered vectors of ${answered} numbers, not ${wanted}`);
