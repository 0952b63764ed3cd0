import { BM25_PARAMETERS } from '../../../domain/search/rank/bm25.ts';
import { LONGEST_SPELLED } from '../../../text/words/spelling.ts';

/** Terms of a chunk, in place of the site's average, which a mapping cannot know. The score only selects candidates. */
const TYPICAL_CHUNK_LENGTH = 250;
const { k1, b } = BM25_PARAMETERS;
const LENGTH_NORM = `${k1} * (${1 - b} + ${b} * doc.length / ${TYPICAL_CHUNK_LENGTH})`;

/** BM25 without idf: OpenSearch's would count all sites, so a query brings the site's own idf as its boost. */
const SITE_SIMILARITY = {
  type: 'scripted',
  script: { source: `return query.boost * doc.freq / (doc.freq + ${LENGTH_NORM});` },
};

/** The share of the title that each of its words has, which an exact title has in full. */
const TITLE_SIMILARITY = {
  type: 'scripted',
  script: { source: 'return query.boost * 2 / (1 + doc.length);' },
};

/** Longer values are not indexed, because Lucene refuses a document with a keyword of more than 32,766 bytes. */
const KEYWORD = { type: 'keyword', ignore_above: 8191 };
/** Only in `_source`: returned with results, not searchable. */
const SHOWN = { type: 'keyword', index: false, doc_values: false };
/** Only as doc value: read by scripts, aggregations and answers, not searchable. */
const docValue = (type: 'long' | 'integer' | 'keyword') => ({ type, index: false });

/** Each beginning of a word is a term, so that neither an unfinished word nor one with a typo needs a pattern. */
const BEGINNINGS = { type: 'text', analyzer: 'beginnings', norms: false, index_options: 'docs' };
const BEGINNINGS_OF_WORD = { type: 'edge_ngram', min_gram: 1, max_gram: LONGEST_SPELLED };

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
  // That of the page.
  titleLength: docValue('integer'),
  // Its index in VECTOR_BLOCKS.
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
 * The pages of a site are in this many shards, so that the largest site, of some 48 GiB, leaves room in each for
 * others: AWS advises 30 GiB at most. Every search of a site asks as many. An index of fewer shards cannot spread a
 * site.
 */
const SHARDS_OF_SITE = 2;

/**
 * The index of an embedding space. Each page is a document, routed by its site, with its chunks nested. A search reads
 * doc values only; a chunk's text is a stored field of the chunk, so that a passage is read without its page.
 */
export function indexDefinition(dimensions: number, { shards, replicas }: IndexSize) {
  return {
    settings: {
      index: {
        knn: true,
        number_of_shards: shards,
        number_of_replicas: replicas,
        // Routing shards are finer than shards otherwise, and both parts of a site in the same shard.
        ...(shards > SHARDS_OF_SITE && { number_of_routing_shards: shards, routing_partition_size: SHARDS_OF_SITE }),
        // For `soon`, within 5 s.
        refresh_interval: '3s',
        // How long OpenSearch remembers the version of a deleted page: longer than a delayed slice can run.
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
        // The title, which suggestions read as a doc value.
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
