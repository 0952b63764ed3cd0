import { tableReader } from '#adapters/table';
import { scaledEmbedder } from '../connectors/embedder/measured.ts';
import { configuredEmbedder, embeddersOf } from '../connectors/embedder/providers.ts';
import { cachedRegistry } from '../domain/pages/reindexing/cached-registry.ts';
import { searchedIndex } from '../domain/pages/reindexing/searched-index.ts';
import type { Embedder } from '../domain/ports/embedder.ts';
import { openSearchClient } from './opensearch/client.ts';
import { indexCache } from './opensearch/index/index-cache.ts';
import { opensearchIndexReader } from './opensearch/search/opensearch-index-reader.ts';
import { requireEnv } from './require-env.ts';

const client = openSearchClient(requireEnv('OPENSEARCH_URL'));
/** Without a cache, which holds no queries and would need a table to write to. */
const scaled = (embedder: Embedder): Embedder => scaledEmbedder(embedder, { table: tableReader, clock: Date.now });
const own = await configuredEmbedder(scaled);
const embedderOf = embeddersOf(own, scaled);

/** The index that is searched, and the embedder for queries to it. */
export const { index, embedder } = searchedIndex({
  own,
  registry: cachedRegistry({ table: tableReader, clock: () => performance.now() }),
  open: indexCache(async (index) => ({
    index: opensearchIndexReader(client, index),
    embedder: await embedderOf(index),
  })),
});
