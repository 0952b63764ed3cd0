import { table } from '#adapters/table-reader';
import { embedder as configured } from '../connectors/embedder/configured.ts';
import { cachedRegistry } from '../domain/pages/reindexing/cached-registry.ts';
import { dualWriteIndex } from '../domain/pages/reindexing/dual-write-index.ts';
import { openSearchClient } from './opensearch/client.ts';
import { indexOpener } from './opensearch/index/open-index.ts';
import { MAPPING } from './opensearch/layout.ts';
import { requireEnv } from './require-env.ts';

/** The live index and the embedder for queries to it. During a reindexing, pages are written to both indexes. */
export const { pageIndex, embedder } = dualWriteIndex({
  own: configured,
  layout: MAPPING,
  registry: cachedRegistry({ table, clock: () => performance.now() }),
  open: indexOpener(openSearchClient(requireEnv('OPENSEARCH_URL'))),
});
