import { embedder } from '../embedder.ts';
import type { PageIndex } from '../ports.ts';
import { needed } from './needed.ts';
import { openSearch } from './opensearch/client.ts';
import { opensearchPageIndex } from './opensearch/opensearch-page-index.ts';

export const pageIndex: PageIndex = opensearchPageIndex(openSearch(needed('OPENSEARCH_URL')), embedder);
