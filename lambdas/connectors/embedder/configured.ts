import { table } from '#adapters/table';
import type { IndexKind } from '../../domain/pages/reindexing/index-registry.ts';
import type { Embedder } from '../../domain/ports/embedder.ts';
import { cachedEmbedder } from './cached.ts';
import { measuredEmbedder } from './measured.ts';
import { configuredEmbedder, embedderOfIndex } from './providers.ts';

export { provider } from './providers.ts';

const stores = { table, clock: Date.now };
const cached = (embedder: Embedder): Embedder => measuredEmbedder(cachedEmbedder(embedder, stores), stores);

/** The provider's model with a cache, or the built-in embedder, whose vectors are cheaper to make than to store. */
export const embedder: Embedder = await configuredEmbedder(cached);
export const embedderOf = (kind: IndexKind): Promise<Embedder> => embedderOfIndex(kind, embedder, cached);
