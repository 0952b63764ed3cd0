import type { Embedder } from '../../../core/ports/embedder.ts';
import type { IndexReader } from '../../../core/ports/page-index.ts';
import type { IndexKind, OpenedIndex, OpenIndex, RegisteredIndex } from '../../../core/reindexing/index-registry.ts';

/** Opens each index once, because each has a cache of its sites' terms. */
export function openedOnce<Index extends IndexReader>(
  open: (index: RegisteredIndex) => Index,
  embedderOf: (kind: IndexKind) => Promise<Embedder>,
): OpenIndex<Index> {
  const opened = new Map<string, Promise<OpenedIndex<Index>>>();
  return (registered) => {
    const side =
      opened.get(registered.index) ??
      embedderOf(registered).then((embedder) => ({ index: open(registered), embedder }));
    opened.set(registered.index, side);
    return side;
  };
}
