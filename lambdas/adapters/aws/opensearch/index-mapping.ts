/** How a chunk's words pick candidates: saturated frequency, weighed by the site's own idf, which a query brings as its boost. */
const SITE_SIMILARITY = {
  type: 'scripted',
  script: { source: 'return query.boost * doc.freq / (doc.freq + 1.2 * (0.25 + 0.75 * doc.length / 250));' },
};

/** A keyword holds 32,766 bytes; what is longer than this in characters is not indexed, and its page is. */
const KEYWORD = { type: 'keyword', ignore_above: 8191 };
/** Kept to be shown, in `_source` alone. */
const SHOWN = { type: 'keyword', index: false, doc_values: false };
/** Read by scripts, sums and answers, not searched. */
const read = (type: 'long' | 'integer' | 'keyword') => ({ type, index: false });

const SHOWN_FIELDS = [
  ...['url', 'urlHash', 'revision', 'title', 'summary', 'language'],
  ...['tags', 'facts', 'metadata', 'publishedAt', 'crawledAt'],
];

const chunkFields = (dimensions: number) => ({
  key: { type: 'long', doc_values: false },
  ord: read('integer'),
  length: read('integer'),
  linkShare: read('integer'),
  words: { type: 'text', analyzer: 'blanks', similarity: 'site', index_options: 'freqs' },
  terms: read('long'),
  headings: { ...SHOWN, store: true },
  text: { type: 'text', index: false, store: true },
  vector: {
    type: 'knn_vector',
    dimension: dimensions,
    space_type: 'cosinesimil',
    method: { name: 'hnsw', engine: 'lucene', parameters: { m: 16, ef_construction: 100 } },
  },
});

export type IndexSize = { readonly shards: number; readonly replicas: number };

/**
 * The index of an embedding space: a document for each page, routed by its site, with its chunks nested. What a search reads of a
 * page are doc values; the text of a chunk is stored with the chunk, so that a passage is read without its page.
 */
export function indexDefinition(dimensions: number, { shards, replicas }: IndexSize) {
  return {
    settings: {
      index: {
        knn: true,
        number_of_shards: shards,
        number_of_replicas: replicas,
        /** `soon` is within 5 s. */
        refresh_interval: '3s',
        /** So long a removed page remembers its revision: longer than a slice that lags behind can live. */
        gc_deletes: '5m',
        similarity: { site: SITE_SIMILARITY },
      },
      analysis: { analyzer: { blanks: { type: 'whitespace' } } },
    },
    mappings: {
      dynamic: 'strict',
      _routing: { required: true },
      _source: { includes: SHOWN_FIELDS },
      properties: {
        siteId: { type: 'keyword' },
        generation: { type: 'integer' },
        urlHash: read('keyword'),
        revision: { type: 'long', index: false, doc_values: false },
        stamp: read('long'),
        url: KEYWORD,
        path: KEYWORD,
        sought: { type: 'wildcard' },
        title: SHOWN,
        summary: SHOWN,
        crawledAt: SHOWN,
        language: KEYWORD,
        publishedAt: KEYWORD,
        tags: KEYWORD,
        facts: KEYWORD,
        /** As JSON: as an object it would widen the mapping. */
        metadata: SHOWN,
        titleLength: read('integer'),
        block: read('keyword'),
        terms: read('long'),
        chunkCount: read('integer'),
        length: read('integer'),
        chunks: { type: 'nested', properties: chunkFields(dimensions) },
      },
    },
  } as const;
}
