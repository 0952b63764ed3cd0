import type { OpenSpace, SpaceSide } from '../../../core/reindexing/dual-write-index.ts';
import type { SpaceKind } from '../../../core/reindexing/index-registry.ts';
import { embedder, embedderOf, provider } from '../../embedder.ts';
import type { Engine } from './client.ts';
import { indexName, MAPPING } from './index-admin.ts';
import { opensearchPageIndex } from './opensearch-page-index.ts';

/** What the environment names. */
export const configuredKind: SpaceKind = {
  layout: MAPPING,
  space: embedder.space,
  dimensions: embedder.dimensions,
  ...(provider && { provider }),
};

/** The name of a new index; the id is what no other has. */
export const newIndexName = ({ space }: SpaceKind, id: string): string => `${indexName({ space })}-${id}`;

/** Opens each index once: what it remembers of sites is its own. */
export function spaceIndices(engine: Engine): OpenSpace {
  const opened = new Map<string, Promise<SpaceSide>>();
  return (space) => {
    const side =
      opened.get(space.index) ??
      embedderOf(space).then((its) => ({ index: opensearchPageIndex(engine, space), embedder: its }));
    opened.set(space.index, side);
    return side;
  };
}
