import { table } from '#adapters/table';
import { cachedRegistry } from '../../core/reindexing/cached-registry.ts';
import { dualWriteIndex, type OpenIndex } from '../../core/reindexing/dual-write-index.ts';
import { embedder as configured } from '../embedder.ts';
import { openSearchClient } from './opensearch/client.ts';
import { dropIndex as drop, MAPPING } from './opensearch/index-admin.ts';
import { indexOpener } from './opensearch/open-index.ts';
import { requireEnv } from './require-env.ts';

const engine = openSearchClient(requireEnv('OPENSEARCH_URL'));

export const openSpace: OpenIndex = indexOpener(engine);
export const dropIndex = (index: string): Promise<void> => drop(engine, index);

/**
 * The index that is searched, and what makes the vectors of queries to it; while pages move to another one, they are
 * written to both.
 */
export const { pageIndex, embedder } = dualWriteIndex({
  own: configured,
  layout: MAPPING,
  registry: cachedRegistry({ table, clock: Date.now }),
  open: openSpace,
});
