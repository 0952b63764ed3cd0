import type { Embedder } from '../../core/ports/embedder.ts';
import type { IndexKind } from '../../core/reindexing/index-registry.ts';
import { configuredEmbedder, embedderOfIndex } from './providers.ts';

const uncached = (embedder: Embedder): Embedder => embedder;

/** The configured embedder without a cache, which holds no queries and would need a table to write to. */
export const embedder: Embedder = await configuredEmbedder(uncached);
export const embedderOf = (kind: IndexKind): Promise<Embedder> => embedderOfIndex(kind, embedder, uncached);
