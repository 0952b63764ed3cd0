import { tableReader } from '#adapters/table';
import { calibratedEmbedder } from '../connectors/embedder/calibration.ts';
import { configuredEmbedder, embeddersOf } from '../connectors/embedder/providers.ts';
import { cachedRegistry } from '../domain/pages/reindexing/cached-registry.ts';
import { searchedIndex } from '../domain/pages/reindexing/searched-index.ts';
import type { Embedder } from '../domain/ports/embedder.ts';
import { openSearchClient } from './opensearch/client.ts';
import { indexCache } from './opensearch/index/index-cache.ts';
import { opensearchIndexReader } from './opensearch/search/opensearch-index-reader.ts';
import { requireEnv } from './require-env.ts';

const client = openSearchClient(requireEnv('OPENSEARCH_URL'));
/** Makes a calibrated embedder without a cache: the cache holds no queries, and writing it would need a permission. */
const scaled = (embedder: Embedder): Embedder => calibratedEmbedder(embedder, { table: tableReader, clock: Date.now });
const own = await configuredEmbedder(scaled);
const embedderOf = embeddersOf(own, scaled);

/** The searched index, with the embedder for its queries. */
export const { index, embedder } = searchedIndex({
  own,
  registry: cachedRegistry({ table: tableReader, clock: () => performance.now() }),
  open: indexCache(async (index) => ({
    index: opensearchIndexReader(client, index),
    embedder: await embedderOf(index),
  })),
});
