import { embedderOf } from '../../../connectors/embedder/configured.ts';
import type { OpenIndex } from '../../../domain/pages/reindexing/index-registry.ts';
import type { OpenSearchClient } from '../client.ts';
import { indexCache } from './index-cache.ts';
import { opensearchPageIndex } from './opensearch-page-index.ts';

export const indexOpener = (client: OpenSearchClient): OpenIndex =>
  indexCache((index) => opensearchPageIndex(client, index), embedderOf);
