import {
  type FacetField,
  MAX_FOUND_WORDS,
  type SearchScope,
  type SiteScope,
  type TitleQuery,
  type WordQuery,
} from '../../../core/ports/page-index.ts';
import { NO_BOOSTS } from '../../../core/search/boosts.ts';
import { boosted } from './boost-clauses.ts';
import { allOf, anyOf, type Clause, filterClause, hasTerm, hasText, inChunk, ofScope } from './page-clauses.ts';
import { documentId } from './page-document.ts';
import { CHUNK_FEATURES, TITLE_FEATURES } from './scripts.ts';
import { chunkKey } from './term-occurrences.ts';
import { completionsPattern, similarCompletionsPattern } from './word-patterns.ts';

/*
 * Tenant isolation: this file makes every query of the index, and each query names the sites that it may read, is
 * routed to them, and filters by site and generation, also inside k-NN.
 */

type Scopes = readonly [SiteScope, ...SiteScope[]];

export type ScopedQuery = { readonly routing: string; readonly body: Clause };

/** Shorter than the client's limit, so that OpenSearch stops first. */
const TIME_LIMIT = '3s';
/** Loading `_id` and `_source` would take longer than the search itself, so only doc values are read. */
const NOTHING_STORED = { stored_fields: '_none_', track_total_hits: false, timeout: TIME_LIMIT };
const NO_HITS = { size: 0, track_total_hits: false, timeout: TIME_LIMIT };
const PAGE_FIELDS = ['urlHash', 'url', 'language', 'tags', 'facts', 'titleLength', 'block'];

/** Limits for similar words of the whole index, of which a site has few. */
const MAX_SIMILAR_WORDS = { perWord: 50, perQuery: 300 };
const NO_LIMIT = 2_000_000_000;
/** Chunks of one page: OpenSearch's limit for inner hits. */
const MAX_INNER_HITS = 100;

const inScope = (scope: SiteScope, tests: readonly Clause[] = []): Clause => allOf([...ofScope(scope), ...tests]);

/** The numbers of a site's pages, chunks and terms, and the sum of its pages' stamps, which changes with every page. */
export const totals = (scope: SiteScope): ScopedQuery => ({
  routing: scope.siteId,
  body: {
    ...NO_HITS,
    query: inScope(scope),
    aggs: {
      stamps: { stats: { field: 'stamp' } },
      chunks: { sum: { field: 'chunkCount' } },
      terms: { sum: { field: 'length' } },
    },
  },
});

/** For each word, given by its forms, the number of chunks that contain one of them. */
export const frequencies = (scope: SiteScope, words: readonly (readonly string[])[]): ScopedQuery => ({
  routing: scope.siteId,
  body: {
    ...NO_HITS,
    query: inScope(scope, [inChunk(hasTerm([...new Set(words.flat())]))]),
    aggs: { chunks: { nested: { path: 'chunks' }, aggs: { having: { filters: { filters: words.map(hasTerm) } } } } },
  },
});

/** For each word: whether it is known, how many pages spell it so, and what is to be found. */
export function wordEntries(scopes: Scopes, words: readonly WordQuery[]): ScopedQuery {
  const aggs = words.flatMap(({ word, forms, find }, i) => {
    const pattern = find === 'completions' ? completionsPattern(word) : similarCompletionsPattern(word);
    const found = { terms: { field: 'spellings', include: pattern, ...MOST_FREQUENT } };
    const [first = ''] = word;
    const begins = { prefix: { spellings: find === 'completions' ? word : first } };
    return [
      [`known${i}`, { filter: inChunk(hasTerm(forms)) }],
      ...(find ? [[`pages${i}`, { filter: { term: { spellings: word } } }]] : []),
      ...(find === 'completions' || find === 'similarCompletions'
        ? [[`found${i}`, { filter: find === 'completions' ? begins : anyWord, aggs: { words: found } }]]
        : []),
    ];
  });
  return {
    routing: routingOf(scopes),
    body: { ...NO_HITS, query: anyScope(scopes), aggs: Object.fromEntries(aggs) },
  };
}

const MOST_FREQUENT = { size: MAX_FOUND_WORDS, order: [{ _count: 'desc' }, { _key: 'asc' }] };
const anyWord = { exists: { field: 'spellings' } };

/** The number of pages that spell each word so. */
export const spelledPages = (scopes: Scopes, words: readonly string[]): ScopedQuery => ({
  routing: routingOf(scopes),
  body: {
    ...NO_HITS,
    query: anyScope(scopes),
    aggs: { pages: { filters: { filters: words.map((word) => ({ term: { spellings: word } })) } } },
  },
});

/** Words within an edit distance, the most similar first. The caller must drop those of other sites. */
export function similarWords(
  scopes: Scopes,
  words: readonly { readonly word: string; readonly edits: 1 | 2 }[],
): ScopedQuery {
  const size = Math.ceil(Math.min(MAX_SIMILAR_WORDS.perWord, MAX_SIMILAR_WORDS.perQuery / words.length));
  const suggest = words.map(({ word, edits }, i) => {
    const options = { max_edits: edits, prefix_length: 0, min_word_length: 1, max_term_freq: NO_LIMIT };
    const term = { field: 'spellings', suggest_mode: 'always', size, shard_size: size, ...options };
    return [`${i}`, { text: word, term }];
  });
  return {
    routing: routingOf(scopes),
    body: { ...NO_HITS, query: anyScope(scopes), suggest: Object.fromEntries(suggest) },
  };
}

/** The query as features are computed from it: the hashes of its terms, and its vector. */
export type FeatureQuery = { readonly hashes: readonly number[]; readonly vector?: readonly number[] | undefined };

/** Pages with their features, each with its best chunks. */
const candidates = (query: Clause, size: number, hashes: FeatureQuery['hashes']): Clause => ({
  ...NOTHING_STORED,
  size,
  query,
  docvalue_fields: PAGE_FIELDS,
  script_fields: { title: { script: { source: TITLE_FEATURES, params: { hashes } } } },
});

const bestChunks = ({
  hashes,
  vector = null,
  chunksPerPage,
}: {
  hashes: FeatureQuery['hashes'];
  vector?: FeatureQuery['vector'] | null;
  chunksPerPage: number;
}) => ({
  size: chunksPerPage,
  stored_fields: '_none_',
  script_fields: { chunk: { script: { source: CHUNK_FEATURES, params: { hashes, vector } } } },
});

export type WeightedWord = { readonly forms: readonly string[]; readonly weight: number };

/** What words in the title and in a label are worth, beside those in the text. */
const [TITLE, LABEL] = [1.5, 0.7] as const;

/** The best pages by words, title and boosts; a page counts by its best chunk. */
export function byWords(
  scope: SearchScope,
  { words, features, tests, limit, chunksPerPage }: CandidateSearch & { readonly words: readonly WeightedWord[] },
): ScopedQuery {
  const anyWordIn = (field: string, factor: number) =>
    words.map(({ forms, weight }) => {
      const terms = forms.map((form) => ({ term: { [field]: { value: form, boost: weight * factor } } }));
      return terms.length === 1 ? terms[0] : { dis_max: { queries: terms } };
    });
  const inText = [...anyWordIn('chunks.words', 1), ...anyWordIn('chunks.labels', LABEL)];
  const nested = {
    path: 'chunks',
    score_mode: 'max',
    query: { bool: { should: inText } },
    inner_hits: bestChunks({ ...features, chunksPerPage }),
  };
  const query = {
    bool: {
      filter: [...ofScope(scope), ...tests],
      must: [{ nested }],
      should: anyWordIn('titleWords', TITLE),
    },
  };
  const body = candidates(boosted(query, scope.boosts ?? NO_BOOSTS, scope), limit, features.hashes);
  return { routing: scope.siteId, body };
}

type CandidateSearch = {
  readonly features: FeatureQuery;
  readonly tests: readonly Clause[];
  readonly limit: number;
  readonly chunksPerPage: number;
};

/** The nearest pages, each by its nearest chunk. Outside k-NN, the filter would apply to the nearest of all sites. */
export function byVector(
  scope: SiteScope,
  { vector, features, tests, limit, chunksPerPage }: CandidateSearch & { readonly vector: readonly number[] },
): ScopedQuery {
  const knn = { 'chunks.vector': { vector, k: limit, filter: inScope(scope, tests) } };
  const inner_hits = bestChunks({ ...features, vector, chunksPerPage });
  const nested = { path: 'chunks', score_mode: 'max', query: { knn }, inner_hits };
  const query = { bool: { filter: ofScope(scope), must: [{ nested }] } };
  return { routing: scope.siteId, body: candidates(query, limit, features.hashes) };
}

export function passages(
  scope: SiteScope,
  refs: readonly { readonly urlHash: string; readonly ord: number }[],
): ScopedQuery {
  const keys = refs.map(({ urlHash, ord }) => chunkKey(documentId({ ...scope, urlHash }), ord));
  const nested = {
    path: 'chunks',
    query: { terms: { 'chunks.key': keys } },
    inner_hits: {
      ...{ size: MAX_INNER_HITS, _source: false, docvalue_fields: ['chunks.ord'] },
      stored_fields: ['chunks.headings', 'chunks.sections', 'chunks.text'],
    },
  };
  const query = inScope(scope, [{ nested }]);
  return { routing: scope.siteId, body: { size: refs.length, track_total_hits: false, timeout: TIME_LIMIT, query } };
}

export function facets(scopes: readonly [SearchScope, ...SearchScope[]], { fields, limit }: FacetQuery): ScopedQuery {
  const counts = fields.flatMap((field, i) => {
    const values = { field: field.field, ...('prefix' in field && { include: `${escapeRegExp(field.prefix)}.*` }) };
    const one = (order: 'asc' | 'desc') => ({ terms: { ...values, size: 1, order: { _key: order } } });
    const most = { terms: { ...values, size: limit, order: [{ _count: 'desc' }, { _key: 'asc' }] } };
    return [
      [`values${i}`, most],
      [`least${i}`, one('asc')],
      [`greatest${i}`, one('desc')],
    ];
  });
  return {
    routing: routingOf(scopes),
    body: { ...NO_HITS, query: anyScope(scopes), aggs: Object.fromEntries(counts) },
  };
}

export type FacetQuery = {
  readonly fields: readonly FacetField[];
  readonly limit: number;
};

const anyScope = (scopes: readonly SearchScope[]): Clause =>
  anyOf(
    scopes.map(({ filters = [], ...scope }) =>
      inScope(
        scope,
        filters.map((filter) => filterClause(filter, scope)),
      ),
    ),
  );
const routingOf = (scopes: readonly SiteScope[]): string => scopes.map(({ siteId }) => siteId).join(',');

const escapeRegExp = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '\\$&');

export const pagesWithText = (
  scope: SiteScope,
  { text, limit, after }: { readonly text: string; readonly limit: number; readonly after?: string },
): ScopedQuery => ({
  routing: scope.siteId,
  body: {
    ...{ size: limit, track_total_hits: false, timeout: TIME_LIMIT, _source: ['url', 'urlHash', 'title', 'revision'] },
    query: inScope(scope, text === '' ? [] : hasText(text.toLowerCase())),
    sort: [{ url: 'asc' }],
    ...(after !== undefined && { search_after: [after] }),
  },
});

/** Pages whose title has one of the terms of each word, the shortest titles first. */
export const pagesByTitle = ({ scopes, words, limit }: TitleQuery): ScopedQuery => ({
  routing: routingOf(scopes),
  body: {
    ...{ size: limit, track_total_hits: false, timeout: TIME_LIMIT, _source: ['url', 'title'] },
    docvalue_fields: ['siteId'],
    query: allOf([anyScope(scopes), ...words.map((terms) => ({ terms: { titleWords: terms } }))]),
    sort: [{ titleLength: 'asc' }, { url: 'asc' }],
  },
});

export function pagesBelow(siteId: string, generation: number): ScopedQuery {
  const older = Number.isFinite(generation) ? [{ range: { generation: { lt: generation } } }] : [];
  return { routing: siteId, body: { query: allOf([{ term: { siteId } }, ...older]) } };
}
