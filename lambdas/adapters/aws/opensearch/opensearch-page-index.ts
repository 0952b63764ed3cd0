import type { PageIndex } from '../../../core/ports/page-index.ts';
import { findCandidates } from './candidate-search.ts';
import { type OpenSearchClient, withSharedLimit } from './client.ts';
import { type EmbeddingSpace, indexName } from './index-admin.ts';
import type { IndexRef } from './multi-search.ts';
import { countFacets, findPages, readPassages, titledPages } from './page-reads.ts';
import { type PageWrite, putLines, refresh, removeBelow, removeLine, write } from './page-writes.ts';
import { SiteTermCache } from './site-term-cache.ts';
import { Vocabulary } from './vocabulary.ts';

/** `PageIndex` on the OpenSearch index of one embedding space, which must exist (`ensureIndex`). */
export function opensearchPageIndex(client: OpenSearchClient, space: EmbeddingSpace): PageIndex {
  const index: IndexRef = { client, name: indexName(space) };
  const { dimensions } = space;
  const siteTerms = new SiteTermCache();
  const vocabulary = new Vocabulary(() => performance.now());
  const withOneLimit = (): IndexRef => ({ ...index, client: withSharedLimit(client) });
  const changed = <T>(writing: Promise<T>): Promise<T> => writing.finally(() => vocabulary.forget());
  return {
    put: (entries, { visible }) =>
      changed(
        write(
          index,
          lines(entries, (entry) => putLines(entry, dimensions)),
          visible,
        ),
      ),
    remove: (pages, { visible }) => changed(write(index, lines(pages, removeLine), visible)),
    removeBelow: (siteId, generation, limit) => changed(removeBelow(withOneLimit(), siteId, generation, limit)),
    refresh: () => refresh(index),
    candidates: (query) => findCandidates(query, { index: withOneLimit(), siteTerms, dimensions }),
    vocabulary: (query) => vocabulary.lookUp(withOneLimit(), query),
    titled: (query) => titledPages(index, query),
    passages: (refs) => readPassages(index, refs),
    facets: (query) => countFacets(index, query),
    find: (scope, query) => findPages(index, scope, query),
  };
}

function* lines<T>(items: Iterable<T>, line: (item: T) => PageWrite): Iterable<PageWrite> {
  for (const item of items) yield line(item);
}
