import { table } from '#adapters/table';
import type { Embedder } from '../../domain/ports/embedder.ts';
import { cachedEmbedder } from './cached.ts';
import { calibratingEmbedder } from './calibration.ts';
import { configuredEmbedder, embeddersOf } from './providers.ts';

export { provider } from './providers.ts';

const stores = { table, clock: Date.now };
const cached = (embedder: Embedder): Embedder => calibratingEmbedder(cachedEmbedder(embedder, stores), stores);

/**
 * The embedder of pages: the provider's model with a cache, or the built-in one, whose vectors are cheaper to make than
 * to store. Queries are embedded for the index that is searched (`#adapters/search-index`).
 */
export const embedder: Embedder = await configuredEmbedder(cached);
export const embedderOf = embeddersOf(embedder, cached);
