import { table } from '#adapters/table-reader';
import type { IndexKind } from '../../domain/pages/reindexing/index-registry.ts';
import type { Embedder } from '../../domain/ports/embedder.ts';
import { scaledEmbedder } from './measured.ts';
import { configuredEmbedder, embedderOfIndex } from './providers.ts';

const scaled = (embedder: Embedder): Embedder => scaledEmbedder(embedder, { table, clock: Date.now });

/** The configured embedder without a cache, which holds no queries and would need a table to write to. */
export const embedder: Embedder = await configuredEmbedder(scaled);
export const embedderOf = (kind: IndexKind): Promise<Embedder> => embedderOfIndex(kind, embedder, scaled);
