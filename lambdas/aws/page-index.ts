import { tableReader } from '#adapters/table';
import { cachedRegistry } from '../domain/pages/reindexing/cached-registry.ts';
import { dualWriteIndex } from '../domain/pages/reindexing/dual-write-index.ts';
import type { OpenIndex } from '../domain/pages/reindexing/index-registry.ts';
import { readerOf } from '../domain/pages/reindexing/searched-index.ts';
import type { IndexReader } from '../domain/ports/index-reader.ts';
import type { PageIndex, PageRemover } from '../domain/ports/page-index.ts';
import { openSearchClient, withSharedLimit } from './opensearch/client.ts';
import { dropIndex as drop } from './opensearch/index/drop-index.ts';
import { indexCache } from './opensearch/index/index-cache.ts';
import { indexOpener } from './opensearch/index/open-index.ts';
import { opensearchPageIndex } from './opensearch/index/opensearch-page-index.ts';
import { removeBelow } from './opensearch/index/page-writes.ts';
import { indexName } from './opensearch/index-name.ts';
import { MAPPING } from './opensearch/layout.ts';
import { opensearchIndexReader } from './opensearch/search/opensearch-index-reader.ts';
import { requireEnv } from './require-env.ts';

const client = openSearchClient(requireEnv('OPENSEARCH_URL'));
const registry = cachedRegistry({ table: tableReader, clock: () => performance.now() });

// Calls below are marked as pure, so that a function's bundle contains only the code of its own imports.

/** The live index. During a reindexing, pages are written to both indexes. */
export const pageIndex: PageIndex = /* @__PURE__ */ dualWriteIndex({
  layout: MAPPING,
  registry,
  open: /* @__PURE__ */ indexCache((index) => opensearchPageIndex(client, index)),
  // Imported when entries with vectors are written: a function that only removes pages needs no provider's key.
  embedders: () => import('../connectors/embedder/configured.ts'),
});

const readerOnce = /* @__PURE__ */ indexCache((index) => opensearchIndexReader(client, index));

/** The searched index, for queries without vectors: functions that use it need no embedder and no key. */
export const pageFinder: IndexReader = /* @__PURE__ */ readerOf(async () => readerOnce((await registry()).searched));

/** Removes pages from every index that holds them, including one of an earlier layout. */
export const pageRemover: PageRemover = {
  async removeBelow(siteId, generation, limit) {
    const { searched, secondary } = await registry();
    let isDone = true;
    for (const index of secondary ? [searched, secondary] : [searched]) {
      const ref = { client: withSharedLimit(client), name: indexName(index) };
      isDone = (await removeBelow(ref, siteId, generation, limit)) && isDone;
    }
    return isDone;
  },
};

export const openIndex: OpenIndex = /* @__PURE__ */ indexOpener(client);
export const dropIndex = (index: string): Promise<void> => drop(client, index);
