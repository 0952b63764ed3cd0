import { UnavailableError } from '../../domain/errors.ts';
import type { IndexSpec, Provider } from '../../domain/pages/reindexing/index-registry.ts';
import type { Embedder } from '../../domain/ports/embedder.ts';
import { env } from '../../env.ts';
import { providerBaseUrl, providerKey } from '../provider/provider-key.ts';
import { builtinEmbedder } from './builtin.ts';
import { BUILTIN_SPACE } from './space.ts';

const { EMBEDDING_MODEL: model, EMBEDDING_DIMENSIONS: dimensions } = env;

/** The configured embeddings provider. Undefined means the built-in embedder. */
export const provider: Provider | undefined =
  providerBaseUrl === undefined ? undefined : { baseUrl: providerBaseUrl, model };

/** Wraps the embedder of a provider, whose vectors cost money. */
type Wrap = (embedder: Embedder) => Embedder;

/** Imports the client, which is large, only when a provider is configured. */
async function providerEmbedder(of: Provider, dimensions: number, wrap: Wrap): Promise<Embedder> {
  const { openaiEmbedder } = await import('./openai.ts');
  return wrap(openaiEmbedder({ key: providerKey, dimensions, ...of }));
}

export const configuredEmbedder = async (wrap: Wrap): Promise<Embedder> =>
  provider ? providerEmbedder(provider, dimensions, wrap) : builtinEmbedder();

/**
 * Returns a function that gives the embedder of an index, each created once. An index may be older than the
 * configuration.
 */
export function embeddersOf(own: Embedder, wrap: Wrap): (kind: IndexSpec) => Promise<Embedder> {
  const made = new Map<string, Promise<Embedder>>([[own.space, Promise.resolve(own)]]);
  return (kind) => {
    const embedder = made.get(kind.space) ?? embedderOfIndex(kind, wrap);
    made.set(kind.space, embedder);
    return embedder;
  };
}

/**
 * Returns the embedder of an index. If its provider is no longer configured, every call throws `UnavailableError`: that
 * provider must get neither texts nor the present key.
 */
async function embedderOfIndex({ space, dimensions, provider: its }: IndexSpec, wrap: Wrap): Promise<Embedder> {
  if (space === BUILTIN_SPACE) return builtinEmbedder();
  if (its && its.baseUrl === provider?.baseUrl) return providerEmbedder(its, dimensions, wrap);
  const fail = async () => {
    throw new UnavailableError(`The provider of the embedding space ${space} is no longer configured`);
  };
  return { space, dimensions, embedTexts: fail, embedQuery: fail };
}
