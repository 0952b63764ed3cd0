import type { PageIndex } from '../../../domain/ports/page-index.ts';
import { type OpenSearchClient, withSharedLimit } from '../client.ts';
import { type EmbeddingSpace, indexName } from '../index-name.ts';
import type { IndexRef } from '../search/multi-search.ts';
import { newVocabulary, opensearchIndexReader } from '../search/opensearch-index-reader.ts';
import { type PageWrite, putLines, refresh, removeBelow, removeLine, write } from './page-writes.ts';

/** Returns a `PageIndex` on the OpenSearch index of one embedding space, which must exist (`ensureIndex`). */
export function opensearchPageIndex(client: OpenSearchClient, space: EmbeddingSpace): PageIndex {
  const index: IndexRef = { client, name: indexName(space) };
  const vocabulary = newVocabulary();
  const changed = <T>(writing: Promise<T>): Promise<T> => writing.finally(() => vocabulary.forget());
  return {
    ...opensearchIndexReader(client, space, vocabulary),
    put: (entries, { visible }) =>
      changed(
        write(
          index,
          lines(entries, (entry) => putLines(entry, space.dimensions)),
          visible,
        ),
      ),
    remove: (pages, { visible }) => changed(write(index, lines(pages, removeLine), visible)),
    removeBelow: (siteId, generation, limit) =>
      changed(removeBelow({ ...index, client: withSharedLimit(client) }, siteId, generation, limit)),
    refresh: () => refresh(index),
  };
}

function* lines<T>(items: Iterable<T>, line: (item: T) => PageWrite): Iterable<PageWrite> {
  for (const item of items) yield line(item);
}
