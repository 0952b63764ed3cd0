import { table } from '#adapters/table-reader';
import { cachedRegistry } from '../domain/pages/reindexing/cached-registry.ts';
import { readerOf } from '../domain/pages/reindexing/searched-index.ts';
import type { IndexReader } from '../domain/ports/index-reader.ts';
import { openSearchClient } from './opensearch/client.ts';
import { opensearchIndexReader } from './opensearch/search/opensearch-index-reader.ts';
import { requireEnv } from './require-env.ts';

const client = openSearchClient(requireEnv('OPENSEARCH_URL'));
const registry = cachedRegistry({ table, clock: () => performance.now() });
const opened = new Map<string, IndexReader>();

/** The index that is searched, for queries without vectors: functions with it need no embedder and no key. */
export const pageFinder: IndexReader = readerOf(async () => {
  const { searched } = await registry();
  const reader = opened.get(searched.index) ?? opensearchIndexReader(client, searched);
  opened.set(searched.index, reader);
  return reader;
});
