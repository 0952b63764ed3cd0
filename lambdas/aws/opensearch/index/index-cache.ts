import type { RegisteredIndex } from '../../../domain/pages/reindexing/index-registry.ts';

/** Opens each index once, because each has a cache of its sites' terms. */
export function indexCache<Opened>(open: (index: RegisteredIndex) => Opened): (index: RegisteredIndex) => Opened {
  const opened = new Map<string, Opened>();
  return (index) => {
    const known = opened.get(index.index) ?? open(index);
    opened.set(index.index, known);
    return known;
  };
}
