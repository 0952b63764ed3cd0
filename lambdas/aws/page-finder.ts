import { table } from '#adapters/table-reader';
import type { IndexReader } from '../../core/ports/page-index.ts';
import { cachedRegistry } from '../../core/reindexing/cached-registry.ts';
import { readerOf } from '../../core/reindexing/searched-index.ts';
import { openSearchClient } from './opensearch/client.ts';
import { opensearchIndexReader } from './opensearch/opensearch-index-reader.ts';
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
