import { table } from '#adapters/table';
import { UnavailableError } from '../core/errors.ts';
import type { Embedder } from '../core/ports/embedder.ts';
import type { IndexKind, Provider } from '../core/reindexing/index-registry.ts';
import { env } from '../env.ts';
import { BUILTIN_SPACE, builtinEmbedder } from './embedder-builtin.ts';
import { cachedEmbedder } from './embedder-cached.ts';

const {
  OPENAI_API_KEY: givenKey,
  OPENAI_API_KEY_SECRET: secret,
  OPENAI_BASE_URL: baseUrl,
  EMBEDDING_MODEL: model,
  EMBEDDING_DIMENSIONS: dimensions,
} = env;

/** The configured one, if there is any. */
export const provider: Provider | undefined =
  givenKey === undefined && secret === undefined && baseUrl === undefined
    ? undefined
    : { baseUrl: baseUrl ?? 'https://api.openai.com/v1', model };

/** Loaded only where it is used: its client is large. */
async function providersEmbedder(of: Provider, dimensions: number): Promise<Embedder> {
  const { openaiEmbedder } = await import('./embedder-openai.ts');
  const apiKey = givenKey ?? (await keptKey()) ?? 'none';
  return cachedEmbedder(openaiEmbedder({ apiKey, dimensions, ...of }), { table, clock: Date.now });
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
export const embedder: Embedder = provider ? await providersEmbedder(provider, dimensions) : builtinEmbedder();

/**
 * Makes vectors of a space that may have been configured before. Where that was another provider's nobody is asked: neither the texts
 * nor the present key are its business.
 */
export async function embedderOf({ space, dimensions, provider: its }: IndexKind): Promise<Embedder> {
  if (space === embedder.space) return embedder;
  if (space === BUILTIN_SPACE) return builtinEmbedder();
  if (its && its.baseUrl === provider?.baseUrl) return providersEmbedder(its, dimensions);
  const gone = async () => {
    throw new UnavailableError(`what made the vectors of ${space} is not configured any more`);
  };
  return { space, dimensions, embedTexts: gone, embedQuery: gone };
}
