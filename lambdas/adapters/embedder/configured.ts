import { table } from '#adapters/table';
import type { Embedder } from '../../core/ports/embedder.ts';
import type { IndexKind } from '../../core/reindexing/index-registry.ts';
import { cachedEmbedder } from './cached.ts';
import { configuredEmbedder, embedderOfIndex } from './providers.ts';

export { provider } from './providers.ts';

const cached = (embedder: Embedder): Embedder => cachedEmbedder(embedder, { table, clock: Date.now });

/** The provider's model with a cache, or the built-in embedder, whose vectors are cheaper to make than to store. */
export const embedder: Embedder = await configuredEmbedder(cached);
export const embedderOf = (kind: IndexKind): Promise<Embedder> => embedderOfIndex(kind, embedder, cached);
