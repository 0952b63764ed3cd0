import type { OpenIndex } from '../../../core/reindexing/index-registry.ts';
import { embedderOf } from '../../embedder/configured.ts';
import type { OpenSearchClient } from './client.ts';
import { openedOnce } from './opened-once.ts';
import { opensearchPageIndex } from './opensearch-page-index.ts';

export const indexOpener = (client: OpenSearchClient): OpenIndex =>
  openedOnce((index) => opensearchPageIndex(client, index), embedderOf);
