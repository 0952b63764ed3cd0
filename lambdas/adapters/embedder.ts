import { env } from '../env.ts';
import { builtinEmbedder } from './embedder-builtin.ts';
import { openaiEmbedder } from './embedder-openai.ts';
import type { Embedder } from './ports.ts';

const {
  OPENAI_API_KEY: apiKey,
  OPENAI_BASE_URL: baseUrl,
  EMBEDDING_MODEL: model,
  EMBEDDING_DIMENSIONS: dimensions,
} = env;

/** A provider's model where one is named, else the built-in table, which needs neither key nor server. */
export const embedder: Embedder =
  apiKey === undefined && baseUrl === undefined
    ? builtinEmbedder()
    : openaiEmbedder({ apiKey: apiKey ?? 'none', baseUrl: baseUrl ?? 'https://api.openai.com/v1', model, dimensions });
