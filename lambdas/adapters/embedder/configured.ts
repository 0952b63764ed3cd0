import { table } from '#adapters/table';
import { UnavailableError } from '../../core/errors.ts';
import type { Embedder } from '../../core/ports/embedder.ts';
import type { IndexKind, Provider } from '../../core/reindexing/index-registry.ts';
import { env } from '../../env.ts';
import { providerBaseUrl, providerKey } from '../provider-key.ts';
import { builtinEmbedder } from './builtin.ts';
import { cachedEmbedder } from './cached.ts';
import { BUILTIN_SPACE } from './space.ts';

const { EMBEDDING_MODEL: model, EMBEDDING_DIMENSIONS: dimensions } = env;

/** The configured embeddings provider; undefined: the built-in embedder. */
export const provider: Provider | undefined =
  providerBaseUrl === undefined ? undefined : { baseUrl: providerBaseUrl, model };

/** Imports the client, which is large, only when a provider is configured. */
async function providerEmbedder(of: Provider, dimensions: number): Promise<Embedder> {
  const { openaiEmbedder } = await import('./openai.ts');
  return cachedEmbedder(openaiEmbedder({ key: providerKey, dimensions, ...of }), { table, clock: Date.now });
}

/** The provider's model with a cache, or the built-in embedder, whose vectors are cheaper to make than to store. */
export const embedder: Embedder = provider ? await providerEmbedder(provider, dimensions) : builtinEmbedder();

/**
 * The embedder of an index that may be older than the configuration. For a provider that is no longer configured
 * every call throws `UnavailableError`: it must get neither texts nor the present key.
 */
export async function embedderOf({ space, dimensions, provider: its }: IndexKind): Promise<Embedder> {
  if (space === embedder.space) return embedder;
  if (space === BUILTIN_SPACE) return builtinEmbedder();
  if (its && its.baseUrl === provider?.baseUrl) return providerEmbedder(its, dimensions);
  const fail = async () => {
    throw new UnavailableError(`The provider of the embedding space ${space} is no longer configured`);
  };
  return { space, dimensions, embedTexts: fail, embedQuery: fail };
}
