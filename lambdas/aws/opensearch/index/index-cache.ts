import type {
  IndexKind,
  OpenedIndex,
  OpenIndex,
  RegisteredIndex,
} from '../../../domain/pages/reindexing/index-registry.ts';
import type { Embedder } from '../../../domain/ports/embedder.ts';
import type { IndexReader } from '../../../domain/ports/index-reader.ts';

/** Opens each index once, because each has a cache of its sites' terms. */
export function indexCache<Index extends IndexReader>(
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
