import { table } from '#adapters/table-reader';
import { cachedRegistry } from '../../core/reindexing/cached-registry.ts';
import { dualWriteIndex } from '../../core/reindexing/dual-write-index.ts';
import { embedder as configured } from '../embedder/configured.ts';
import { openSearchClient } from './opensearch/client.ts';
import { MAPPING } from './opensearch/layout.ts';
import { indexOpener } from './opensearch/open-index.ts';
import { requireEnv } from './require-env.ts';

/** The live index and the embedder for queries to it. During a reindexing, pages are written to both indexes. */
export const { pageIndex, embedder } = dualWriteIndex({
  own: configured,
  layout: MAPPING,
  registry: cachedRegistry({ table, clock: () => performance.now() }),
  open: indexOpener(openSearchClient(requireEnv('OPENSEARCH_URL'))),
});
