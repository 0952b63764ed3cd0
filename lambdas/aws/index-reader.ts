import { table } from '#adapters/table-reader';
import { embedderOf, embedder as own } from '../connectors/embedder/for-queries.ts';
import { cachedRegistry } from '../domain/pages/reindexing/cached-registry.ts';
import { searchedIndex } from '../domain/pages/reindexing/searched-index.ts';
import { openSearchClient } from './opensearch/client.ts';
import { indexCache } from './opensearch/index/index-cache.ts';
import { opensearchIndexReader } from './opensearch/search/opensearch-index-reader.ts';
import { requireEnv } from './require-env.ts';

const client = openSearchClient(requireEnv('OPENSEARCH_URL'));

/** The index that is searched, and the embedder for queries to it. */
export const { indexReader, embedder } = searchedIndex({
  own,
  registry: cachedRegistry({ table, clock: () => performance.now() }),
  open: indexCache((index) => opensearchIndexReader(client, index), embedderOf),
});
