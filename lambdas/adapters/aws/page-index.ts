import { table } from '#adapters/table';
import { knownSpaces } from '../../core/index-space/known-spaces.ts';
import { movingIndex } from '../../core/index-space/moving-index.ts';
import { embedder as configured } from '../embedder.ts';
import { needed } from './needed.ts';
import { openSearch } from './opensearch/client.ts';
import { spaceIndices } from './opensearch/space-indices.ts';

/** The index that is searched, and what makes the vectors of queries to it; while pages move to another one, they are written to both. */
export const { pageIndex, embedder } = movingIndex({
  own: configured,
  spaces: knownSpaces({ table, clock: Date.now }),
  open: spaceIndices(openSearch(needed('OPENSEARCH_URL'))),
});
