import type { OpenedIndex, OpenIndex } from '../../../core/reindexing/dual-write-index.ts';
import type { IndexKind } from '../../../core/reindexing/index-registry.ts';
import { embedder, embedderOf, provider } from '../../embedder.ts';
import type { Engine } from './client.ts';
import { indexName, MAPPING } from './index-admin.ts';
import { opensearchPageIndex } from './opensearch-page-index.ts';

/** What the environment names. */
export const configuredKind: IndexKind = {
  layout: MAPPING,
  space: embedder.space,
  dimensions: embedder.dimensions,
  ...(provider && { provider }),
};

/** The name of a new index; the id is what no other has. */
export const newIndexName = ({ space }: IndexKind, id: string): string => `${indexName({ space })}-${id}`;

/** Opens each index once: what it remembers of sites is its own. */
export function spaceIndices(engine: Engine): OpenIndex {
  const opened = new Map<string, Promise<OpenedIndex>>();
  return (space) => {
    const side =
      opened.get(space.index) ??
      embedderOf(space).then((its) => ({ index: opensearchPageIndex(engine, space), embedder: its }));
    opened.set(space.index, side);
    return side;
  };
}
