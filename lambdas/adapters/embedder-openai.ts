import OpenAI from 'openai';
import * as z from 'zod';
import { AppError, MisconfiguredError, UnavailableError } from '../core/errors.ts';
import { cut } from '../core/language/folding.ts';
import { hasDirection, toUnitLength } from '../core/language/normalize.ts';
import type { EmbeddedText, Embedder } from '../core/ports/embedder.ts';
import { batches } from './embedder-batches.ts';

/** Not more tokens than models take, 8,192, in most scripts; a chunk is shorter. */
const LONGEST_TEXT = 8_000;
/** One try, and all tries of one request together; a query has its caller's deadline and one try. */
const TRY_MS = 15_000;
const REQUEST_MS = 45_000;
const RETRIES = 2;

const Answer = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })) });

export type OpenaiEmbedderOptions = {
  readonly apiKey: string;
  /** Of any server that speaks the OpenAI API, up to `/embeddings`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly dimensions: number;
};

type Limits = { readonly timeout: number; readonly totalMs: number; readonly maxRetries: number };

/**
 * Makes vectors of length 1 by a model behind the OpenAI API. Throws `UnavailableError` while the server does not answer, is overloaded
 * or answers nonsense; for texts `AppError` when it refuses the request, and as `MisconfiguredError` when it refuses the key or the model, or its
 * vectors have other dimensions.
 */
export function openaiEmbedder({ apiKey, baseUrl, model, dimensions }: OpenaiEmbedderOptions): Embedder {
  // What is not given here the client would look up in the environment.
  const client = new OpenAI({ apiKey, baseURL: baseUrl, organization: null, project: null, logLevel: 'off' });

  const embed = async (texts: readonly string[], { totalMs, ...limits }: Limits) => {
    const request = { model, dimensions, input: [...texts], encoding_format: 'float' as const };
    try {
      const answer = await client.embeddings.create(request, { ...limits, signal: AbortSignal.timeout(totalMs) });
      return vectorsOf(answer, texts.length, dimensions);
    } catch (error) {
      throw described(error, apiKey);
    }
  };

  return {
    space: `openai-${model}-${dimensions}`,
    dimensions,

    async embedTexts(texts) {
      const embedded: (EmbeddedText | undefined)[] = texts.map(() => undefined);
      const input = texts.map(({ text }) => cut(text, LONGEST_TEXT));
      for (const places of batches(input)) {
        const batch = places.map((place) => input[place] ?? '');
        const vectors = await embed(batch, { timeout: TRY_MS, totalMs: REQUEST_MS, maxRetries: RETRIES });
        for (const [i, place] of places.entries()) {
          const vector = vectors[i];
          if (vector) embedded[place] = { vector, block: 'model' };
        }
      }
      return embedded;
    },

    async embedQuery(query, deadlineMs) {
      if (query.trim() === '') return undefined;
      try {
        const [vector] = await embed([query], { timeout: deadlineMs, totalMs: deadlineMs, maxRetries: 0 });
        return vector;
      } catch (error) {
        // Whatever is wrong, a query has its words.
        throw error instanceof AppError ? new UnavailableError(error.message) : error;
      }
    },
  };
}

/** In the order of the texts, whatever the order of the answer. */
function vectorsOf(answer: unknown, count: number, dimensions: number): readonly (Float32Array | undefined)[] {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success) throw unusable('no list of vectors');
  const { data } = parsed.data;
  if (data.length !== count) throw unusable(`${data.length} vectors for ${count} texts`);
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
  return Array.from({ length: count }, (_, index) => {
    const embedding = byIndex.get(index);
    if (!embedding) throw unusable(`no vector for text ${index}`);
    if (embedding.length !== dimensions) throw otherDimensions(embedding.length, dimensions);
    const vector = toUnitLength(Float32Array.from(embedding));
    return hasDirection(vector) && vector.every(Number.isFinite) ? vector : undefined;
  });
}

const unusable = (answer: string): UnavailableError => new UnavailableError(`the embeddings API answered ${answer}`);

const otherDimensions = (answered: number, wanted: number): AppError =>
  new MisconfiguredError(`the embeddings API answered vectors of ${answered} numbers, not ${wanted}`);

const PASSING: ReadonlySet<number> = new Set([408, 409, 429]);
const OF_SETTINGS: ReadonlySet<number> = new Set([401, 403, 404]);

/** Without the client's error as cause: it carries what the server said, which may repeat the key. */
function described(error: unknown, apiKey: string): Error {
  if (error instanceof AppError || error instanceof UnavailableError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const what = cut(`the embeddings API: ${message}`.replaceAll(apiKey, '[key]'), 300);
  const status = error instanceof OpenAI.APIError ? error.status : undefined;
  if (status === undefined || PASSING.has(status) || status >= 500) return new UnavailableError(what);
  return OF_SETTINGS.has(status) ? new MisconfiguredError(what) : new AppError('upstream_unavailable', what);
}
