import { table } from '#adapters/table';
import { cachedRegistry } from '../../core/reindexing/cached-registry.ts';
import { dualWriteIndex } from '../../core/reindexing/dual-write-index.ts';
import type { OpenIndex } from '../../core/reindexing/index-registry.ts';
import { embedder as configured } from '../embedder/configured.ts';
import { openSearchClient } from './opensearch/client.ts';
import { dropIndex as drop } from './opensearch/index-admin.ts';
import { MAPPING } from './opensearch/layout.ts';
import { indexOpener } from './opensearch/open-index.ts';
import { requireEnv } from './require-env.ts';

const client = openSearchClient(requireEnv('OPENSEARCH_URL'));

export const openIndex: OpenIndex = indexOpener(client);
export const dropIndex = (index: string): Promise<void> => drop(client, index);

/** The live index and the embedder for queries to it. During a reindexing, pages are written to both indexes. */
export const { pageIndex, embedder } = dualWriteIndex({
  own: configured,
  layout: MAPPING,
  registry: cachedRegistry({ table, clock: () => performance.now() }),
  open: openIndex,
});
