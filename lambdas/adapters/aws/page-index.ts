import { table } from '#adapters/table';
import { knownSpaces } from '../../core/reindexing/cached-registry.ts';
import { movingIndex, type OpenSpace } from '../../core/reindexing/dual-write-index.ts';
import { embedder as configured } from '../embedder.ts';
import { openSearch } from './opensearch/client.ts';
import { dropIndex as drop, MAPPING } from './opensearch/index-admin.ts';
import { spaceIndices } from './opensearch/open-index.ts';
import { requireEnv } from './require-env.ts';

const engine = openSearch(requireEnv('OPENSEARCH_URL'));

export const openSpace: OpenSpace = spaceIndices(engine);
export const dropIndex = (index: string): Promise<void> => drop(engine, index);

/** The index that is searched, and what makes the vectors of queries to it; while pages move to another one, they are written to both. */
export const { pageIndex, embedder } = movingIndex({
  own: configured,
  layout: MAPPING,
  spaces: knownSpaces({ table, clock: Date.now }),
  open: openSpace,
});
