import { BM25_PARAMETERS } from '../../../domain/search/rank/bm25.ts';
import { MAX_SPELLED_LENGTH } from '../../../text/words/spelling.ts';

/**
 * Stands in for the average number of terms of a site's chunks, which a mapping cannot know. The score only selects
 * candidates.
 */
const TYPICAL_CHUNK_LENGTH = 250;
const { k1, b } = BM25_PARAMETERS;
const LENGTH_NORM = `${k1} * (${1 - b} + ${b} * doc.length / ${TYPICAL_CHUNK_LENGTH})`;

/** BM25 without idf, which OpenSearch would compute over all sites. A query passes the site's own idf as its boost. */
const SITE_SIMILARITY = {
  type: 'scripted',
  script: { source: `return query.boost * doc.freq / (doc.freq + ${LENGTH_NORM});` },
};

/** Scores the share of the title that a matching word makes up. An exact title adds up to all of it. */
const TITLE_SIMILARITY = {
  type: 'scripted',
  script: { source: 'return query.boost * 2 / (1 + doc.length);' },
};

/** Longer values are not indexed, because Lucene refuses a document with a keyword of more than 32,766 bytes. */
const KEYWORD = { type: 'keyword', ignore_above: 8191 };
/** Stored in `_source` only: returned with results, not searchable. */
const SHOWN = { type: 'keyword', index: false, doc_values: false };
/** Stored as a doc value only: read by scripts, aggregations and results, not searchable. */
const docValue = (type: 'long' | 'integer' | 'keyword') => ({ type, index: false });

/** Indexes each prefix of a word as a term, so that no search needs a pattern for unfinished or misspelt words. */
const BEGINNINGS = { type: 'text', analyzer: 'beginnings', norms: false, index_options: 'docs' };
const BEGINNINGS_OF_WORD = { type: 'edge_ngram', min_gram: 1, max_gram: MAX_SPELLED_LENGTH };

const SHOWN_FIELDS = [
  ...['url', 'aliases', 'urlHash', 'revision', 'title', 'summary', 'language'],
  ...['tags', 'facts', 'metadata', 'publishedAt', 'crawledAt'],
];

const chunkFields = (dimensions: number) => ({
  key: { type: 'long', doc_values: false },
  page: docValue('long'),
  ord: docValue('integer'),
  length: docValue('integer'),
  linkShare: docValue('integer'),
  // The length of the page's title.
  titleLength: docValue('integer'),
  // The index of the block in VECTOR_BLOCKS.
  block: docValue('integer'),
  words: { type: 'text', analyzer: 'blanks', similarity: 'site', index_options: 'freqs' },
  labels: { type: 'text', analyzer: 'blanks', similarity: 'title', index_options: 'freqs' },
  terms: { type: 'binary', doc_values: true },
  headings: { ...SHOWN, store: true },
  // JSON lists of line, heading and anchor.
  sections: { ...SHOWN, store: true },
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
 * Number of shards over which the pages of a site are spread. The largest site has about 48 GiB, and AWS advises at
 * most 30 GiB per shard, so two leave room for other sites. Every search of a site asks this many shards. An index with
 * fewer shards cannot spread a site.
 */
const SHARDS_OF_SITE = 2;

/**
 * Returns the definition of an embedding space's index. Each page is a document, routed by its site, with nested
 * chunks. A search reads doc values only. A chunk's text is a stored field of the chunk, so that a passage is read
 * without its page.
 */
export function indexDefinition(dimensions: number, { shards, replicas }: IndexSize) {
  return {
    settings: {
      index: {
        knn: true,
        number_of_shards: shards,
        number_of_replicas: replicas,
        // Without this setting, routing has more shards than the index, and both parts of a site fall into the same
        // shard.
        ...(shards > SHARDS_OF_SITE && { number_of_routing_shards: shards, routing_partition_size: SHARDS_OF_SITE }),
        // Within the 5 s that `soon` promises.
        refresh_interval: '3s',
        // How long OpenSearch remembers the version of a deleted page. It is longer than a delayed slice can run.
        gc_deletes: '5m',
        similarity: { site: SITE_SIMILARITY, title: TITLE_SIMILARITY },
      },
      analysis: {
        filter: { beginnings: BEGINNINGS_OF_WORD },
        analyzer: { blanks: { type: 'whitespace' }, beginnings: { tokenizer: 'keyword', filter: ['beginnings'] } },
      },
    },
    mappings: {
      dynamic: 'strict',
      _routing: { required: true },
      _source: { includes: SHOWN_FIELDS },
      properties: {
        siteId: { type: 'keyword' },
        generation: { type: 'integer' },
        urlHash: docValue('keyword'),
        revision: { type: 'long', index: false, doc_values: false },
        stamp: docValue('long'),
        url: KEYWORD,
        path: KEYWORD,
        aliases: KEYWORD,
        aliasPaths: KEYWORD,
        sought: { type: 'wildcard' },
        title: SHOWN,
        // The page's title. Suggestions read it as a doc value.
        suggestion: docValue('keyword'),
        summary: SHOWN,
        crawledAt: SHOWN,
        language: KEYWORD,
        publishedAt: KEYWORD,
        tags: KEYWORD,
        facts: KEYWORD,
        // A JSON string: an object would add its fields to the mapping.
        metadata: SHOWN,
        titleWords: { type: 'text', analyzer: 'blanks', similarity: 'title', index_options: 'freqs' },
        titleSpellings: { type: 'keyword', doc_values: false, fields: { beginnings: BEGINNINGS } },
        spellings: { type: 'keyword' },
        titleLength: docValue('integer'),
        block: docValue('keyword'),
        chunkCount: docValue('integer'),
        length: docValue('integer'),
        chunks: { type: 'nested', properties: chunkFields(dimensions) },
      },
    },
  } as const;
}
