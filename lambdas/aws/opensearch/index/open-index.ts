import type { OpenIndex } from '../../../domain/pages/reindexing/index-registry.ts';
import type { OpenSearchClient } from '../client.ts';
import { indexCache } from './index-cache.ts';
import { opensearchPageIndex } from './opensearch-page-index.ts';

/** Opens indexes. It imports the embedders at the first use, so that bundles can do without them. */
export const indexOpener = (client: OpenSearchClient): OpenIndex =>
  indexCache(async (index) => {
    const { embedderOf } = await import('../../../connectors/embedder/configured.ts');
    return { index: opensearchPageIndex(client, index), embedder: await embedderOf(index) };
  });
