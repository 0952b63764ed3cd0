import { table } from '#adapters/table';
import { env } from '../env.ts';
import { builtinEmbedder } from './embedder-builtin.ts';
import { cachedEmbedder } from './embedder-cached.ts';
import type { Embedder } from './ports.ts';

const {
  OPENAI_API_KEY: givenKey,
  OPENAI_API_KEY_SECRET: secret,
  OPENAI_BASE_URL: baseUrl,
  EMBEDDING_MODEL: model,
  EMBEDDING_DIMENSIONS: dimensions,
} = env;

/** Loaded only where it is used: its client is large. */
async function providersEmbedder(): Promise<Embedder> {
  const { openaiEmbedder } = await import('./embedder-openai.ts');
  const apiKey = givenKey ?? (await keptKey()) ?? 'none';
  return openaiEmbedder({ apiKey, baseUrl: baseUrl ?? 'https://api.openai.com/v1', model, dimensions });
}

async function keptKey(): Promise<string | undefined> {
  if (secret === undefined) return undefined;
  const { readSecret } = await import('./aws/secret.ts');
  return readSecret(secret);
}

/**
 * A provider's model where one is named, its vectors kept; else the built-in table, which needs neither key nor server, and whose vectors
 * cost only the millisecond in which they are made.
 */
export const embedder: Embedder =
  givenKey === undefined && secret === undefined && baseUrl === undefined
    ? builtinEmbedder()
    : cachedEmbedder(await providersEmbedder(), { table, clock: Date.now });
