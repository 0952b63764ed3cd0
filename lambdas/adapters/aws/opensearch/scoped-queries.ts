import type { FacetField, PageFilter, SiteScope } from '../../../core/ports/page-index.ts';
import { allOf, type Clause, filterClause, hasTerm, hasText, inChunk, ofScope } from './page-clauses.ts';
import { documentId } from './page-document.ts';
import { CHUNK_EVIDENCE, PAGE_EVIDENCE } from './scripts.ts';
import { chunkKey } from './term-places.ts';

/*
 * Every query of the index, and the only place where one is made. None can be made without the sites that it may read: each is
 * routed to them and filters by site and generation, inside of k-NN too.
 */

/** A query with the sites that it is routed to. */
export type ScopedQuery = { readonly routing: string; readonly body: Clause };

/** The engine gives up by itself before its caller does. */
const TIME_LIMIT = '3s';
/** Loading `_id` and `_source` takes longer than the search: what is read of a page are doc values. */
const NOTHING_STORED = { stored_fields: '_none_', track_total_hits: false, timeout: TIME_LIMIT };
const NO_HITS = { size: 0, track_total_hits: false, timeout: TIME_LIMIT };
const PAGE_FIELDS = ['urlHash', 'url', 'tags', 'facts', 'titleLength', 'block'];

/** Near words of the whole index: of one word, and of all words of a query. A site has a few of them. */
const NEAR_WORDS = { most: 50, together: 300 };
const NO_LIMIT = 2_000_000_000;
/** Of one page: more inner hits than this the engine does not give. */
const MOST_CHUNKS_SHOWN = 100;

const inScope = (scope: SiteScope, tests: readonly Clause[] = []): Clause => allOf([...ofScope(scope), ...tests]);

/** How many pages, chunks and terms a site has, and the sum of their stamps, which is another one after every change. */
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

/** In how many chunks each word is, in one of its forms. */
export const frequencies = (scope: SiteScope, words: readonly (readonly string[])[]): ScopedQuery => ({
  routing: scope.siteId,
  body: {
    ...NO_HITS,
    query: inScope(scope, [inChunk(hasTerm([...new Set(words.flat())]))]),
    aggs: { chunks: { nested: { path: 'chunks' }, aggs: { having: { filters: { filters: words.map(hasTerm) } } } } },
  },
});

/** Words of the index that differ by so many letters, the most similar first. They are any site's: what is not the scope's own must not be told. */
export const nearWords = (
  scope: SiteScope,
  words: readonly { readonly word: string; readonly edits: 1 | 2 }[],
): ScopedQuery => {
  const size = Math.ceil(Math.min(NEAR_WORDS.most, NEAR_WORDS.together / words.length));
  const suggest = words.map(({ word, edits }, place) => {
    const options = { max_edits: edits, prefix_length: 0, min_word_length: 1, max_term_freq: NO_LIMIT };
    const term = { field: 'chunks.words', suggest_mode: 'always', size, shard_size: size, ...options };
    return [`${place}`, { text: word, term }];
  });
  return {
    routing: scope.siteId,
    body: { ...NO_HITS, query: inScope(scope), suggest: Object.fromEntries(suggest) },
  };
};

/** What the evidence is about: the hashes of the query's terms, and its vector. */
export type Sought = { readonly hashes: readonly number[]; readonly vector?: readonly number[] | undefined };

/** Pages with their evidence, each with its best chunk. */
const candidates = (query: Clause, size: number, hashes: Sought['hashes']): Clause => ({
  ...NOTHING_STORED,
  size,
  query,
  docvalue_fields: PAGE_FIELDS,
  script_fields: { page: { script: { source: PAGE_EVIDENCE, params: { hashes } } } },
});

const bestChunk = ({ hashes, vector = null }: { hashes: Sought['hashes']; vector?: Sought['vector'] | null }) => ({
  size: 1,
  stored_fields: '_none_',
  script_fields: { chunk: { script: { source: CHUNK_EVIDENCE, params: { hashes, vector } } } },
});

export type WeighedWord = { readonly forms: readonly string[]; readonly weight: number };

/** The best pages by words, each by the chunk that has most of the words' weight. */
export function byWords(
  scope: SiteScope,
  { words, sought, tests, limit }: WordSearch & { readonly words: readonly WeighedWord[] },
): ScopedQuery {
  const should = words.map(({ forms, weight }) => {
    const terms = forms.map((form) => ({ term: { 'chunks.words': { value: form, boost: weight } } }));
    return terms.length === 1 ? terms[0] : { dis_max: { queries: terms } };
  });
  const nested = { path: 'chunks', score_mode: 'max', query: { bool: { should } }, inner_hits: bestChunk(sought) };
  const query = { bool: { filter: [...ofScope(scope), ...tests], must: [{ nested }] } };
  return { routing: scope.siteId, body: candidates(query, limit, sought.hashes) };
}

type WordSearch = { readonly sought: Sought; readonly tests: readonly Clause[]; readonly limit: number };

/** The nearest pages, each by its nearest chunk. The filter stands inside of k-NN: outside it would thin out the nearest of all sites. */
export function byVector(
  scope: SiteScope,
  { vector, sought, tests, limit }: WordSearch & { readonly vector: readonly number[] },
): ScopedQuery {
  const knn = { 'chunks.vector': { vector, k: limit, filter: inScope(scope, tests) } };
  const nested = { path: 'chunks', score_mode: 'max', query: { knn }, inner_hits: bestChunk({ ...sought, vector }) };
  const query = { bool: { filter: ofScope(scope), must: [{ nested }] } };
  return { routing: scope.siteId, body: candidates(query, limit, sought.hashes) };
}

/** Chunks of a site's pages, with what is shown of the pages. */
export function passages(
  scope: SiteScope,
  refs: readonly { readonly urlHash: string; readonly ord: number }[],
): ScopedQuery {
  const keys = refs.map(({ urlHash, ord }) => chunkKey(documentId({ ...scope, urlHash }), ord));
  const nested = {
    path: 'chunks',
    query: { terms: { 'chunks.key': keys } },
    inner_hits: {
      ...{ size: MOST_CHUNKS_SHOWN, _source: false, docvalue_fields: ['chunks.ord'] },
      stored_fields: ['chunks.headings', 'chunks.text'],
    },
  };
  const query = inScope(scope, [{ nested }]);
  return { routing: scope.siteId, body: { size: refs.length, track_total_hits: false, timeout: TIME_LIMIT, query } };
}

/** For each field its most frequent values, its least and its greatest. */
export function facets(
  scopes: readonly [SiteScope, ...SiteScope[]],
  { filters, fields, limit }: FacetQuery,
): ScopedQuery {
  const counts = fields.flatMap((field, place) => {
    const values = { field: field.field, ...('prefix' in field && { include: `${literally(field.prefix)}.*` }) };
    const one = (order: 'asc' | 'desc') => ({ terms: { ...values, size: 1, order: { _key: order } } });
    const most = { terms: { ...values, size: limit, order: [{ _count: 'desc' }, { _key: 'asc' }] } };
    return [
      [`values${place}`, most],
      [`least${place}`, one('asc')],
      [`greatest${place}`, one('desc')],
    ];
  });
  const query = allOf([anyScope(scopes), ...filters.map(filterClause)]);
  return { routing: routingOf(scopes), body: { ...NO_HITS, query, aggs: Object.fromEntries(counts) } };
}

export type FacetQuery = {
  readonly filters: readonly PageFilter[];
  readonly fields: readonly FacetField[];
  readonly limit: number;
};

const anyScope = (scopes: readonly SiteScope[]): Clause => ({
  bool: { should: scopes.map((scope) => inScope(scope)), minimum_should_match: 1 },
});
const routingOf = (scopes: readonly SiteScope[]): string => scopes.map(({ siteId }) => siteId).join(',');

/** A regular expression that only the text itself matches. */
const literally = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '\\$&');

/** Pages with a text in their title or URL, ordered by URL. */
export const pagesWithText = (
  scope: SiteScope,
  { text, limit, after }: { readonly text: string; readonly limit: number; readonly after?: string },
): ScopedQuery => ({
  routing: scope.siteId,
  body: {
    ...{ size: limit, track_total_hits: false, timeout: TIME_LIMIT, _source: ['url', 'urlHash', 'title'] },
    query: inScope(scope, text === '' ? [] : hasText(text.toLowerCase())),
    sort: [{ url: 'asc' }],
    ...(after !== undefined && { search_after: [after] }),
  },
});

/** The pages of a site of generations below this one. */
export function pagesBelow(siteId: string, generation: number): ScopedQuery {
  const older = Number.isFinite(generation) ? [{ range: { generation: { lt: generation } } }] : [];
  return { routing: siteId, body: { query: allOf([{ term: { siteId } }, ...older]) } };
}
