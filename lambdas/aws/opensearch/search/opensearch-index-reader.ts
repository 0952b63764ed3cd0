import type { IndexReader } from '../../../domain/ports/index-reader.ts';
import { type OpenSearchClient, withSharedLimit } from '../client.ts';
import { type EmbeddingSpace, indexName } from '../index-name.ts';
import { findCandidates } from './candidate-search.ts';
import type { IndexRef } from './multi-search.ts';
import { countFacets, pagesByUrl, readPassages, titledPages } from './page-reads.ts';
import { SiteTermCache } from './site-term-cache.ts';
import { Vocabulary } from './vocabulary.ts';

export const newVocabulary = (): Vocabulary => new Vocabulary(() => performance.now());

/**
 * Returns the reading half of `PageIndex` on the OpenSearch index of one embedding space. Its requests are all
 * `_msearch`.
 */
export function opensearchIndexReader(
  client: OpenSearchClient,
  space: EmbeddingSpace,
  vocabulary: Vocabulary = newVocabulary(),
): IndexReader {
  const index: IndexRef = { client, name: indexName(space) };
  const { dimensions } = space;
  const siteTerms = new SiteTermCache();
  const withOneLimit = (): IndexRef => ({ ...index, client: withSharedLimit(client) });
  return {
    candidates: (query) => findCandidates(query, { index: withOneLimit(), siteTerms, dimensions }),
    vocabulary: (query) => vocabulary.lookUp(withOneLimit(), query),
    titled: (query) => titledPages(index, query),
    passages: (refs) => readPassages(index, refs),
    facets: (query) => countFacets(index, query),
    find: (scope, query) => pagesByUrl(index, scope, query),
  };
}
