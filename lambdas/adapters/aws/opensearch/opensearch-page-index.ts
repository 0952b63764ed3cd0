import type { PageIndex } from '../../../core/ports/page-index.ts';
import { findCandidates } from './candidate-search.ts';
import { type Engine, withinOneLimit } from './client.ts';
import type { EngineIndex } from './engine-search.ts';
import { type EmbeddingSpace, indexName } from './index-admin.ts';
import { countFacets, findPages, readPassages } from './page-reads.ts';
import { putLines, refresh, removeBelow, removeLine, write } from './page-writes.ts';
import { SiteWords } from './site-words.ts';

/** `PageIndex` over the OpenSearch index of one embedding space, which must be there (`ensureIndex`). */
export function opensearchPageIndex(engine: Engine, space: EmbeddingSpace): PageIndex {
  const index: EngineIndex = { engine, name: indexName(space) };
  const { dimensions } = space;
  const words = new SiteWords();
  const timely = (): EngineIndex => ({ ...index, engine: withinOneLimit(engine) });
  return {
    put: (entries, { visible }) =>
      write(
        index,
        lines(entries, (entry) => putLines(entry, dimensions)),
        visible,
      ),
    remove: (pages, { visible }) => write(index, lines(pages, removeLine), visible),
    removeBelow: (siteId, generation, limit) => removeBelow(timely(), siteId, generation, limit),
    refresh: () => refresh(index),
    candidates: (query) => findCandidates(query, { index: timely(), words, dimensions }),
    passages: (refs) => readPassages(index, refs),
    facets: (query) => countFacets(index, query),
    find: (scope, query) => findPages(index, scope, query),
  };
}

function* lines<T>(items: Iterable<T>, line: (item: T) => string): Iterable<string> {
  for (const item of items) yield line(item);
}
