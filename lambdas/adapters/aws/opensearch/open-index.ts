import type { IndexKind, OpenedIndex, OpenIndex } from '../../../core/reindexing/index-registry.ts';
import { embedder, embedderOf, provider } from '../../embedder/configured.ts';
import type { OpenSearchClient } from './client.ts';
import { MAPPING } from './layout.ts';
import { opensearchPageIndex } from './opensearch-page-index.ts';

export const configuredKind: IndexKind = {
  layout: MAPPING,
  space: embedder.space,
  dimensions: embedder.dimensions,
  ...(provider && { provider }),
};

/** Opens each index once, because each has a cache of its sites' terms. */
export function indexOpener(client: OpenSearchClient): OpenIndex {
  const opened = new Map<string, Promise<OpenedIndex>>();
  return (space) => {
    const side =
      opened.get(space.index) ??
      embedderOf(space).then((its) => ({ index: opensearchPageIndex(client, space), embedder: its }));
    opened.set(space.index, side);
    return side;
  };
}
