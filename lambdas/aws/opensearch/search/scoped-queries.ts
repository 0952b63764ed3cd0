import {
  type FacetField,
  MAX_FOUND_WORDS,
  type SearchScope,
  type TitleQuery,
  type WordQuery,
} from '../../../domain/ports/index-reader.ts';
import type { SiteScope } from '../../../domain/ports/page-index.ts';
import { NO_BOOSTS } from '../../../domain/search/rank/boosts.ts';
import { documentId } from '../index/page-document.ts';
import { chunkKey } from '../index/term-occurrences.ts';
import { bestChunks, type FeatureQuery, LABEL } from './best-chunks.ts';
import { boosted } from './boost-clauses.ts';
import {
  allOf,
  anyOf,
  type Clause,
  filterClause,
  hasTerm,
  inChunk,
  ofScope,
  textClause,
  titleClauses,
} from './page-clauses.ts';
import { completionsPattern, escaped, similarCompletionsPattern } from './word-patterns.ts';

/*
 * Tenant isolation: this file builds every query of the index. Each query names the sites that it may read, is routed
 * to them, and filters by site and generation, also inside k-NN.
 */

type Scopes = readonly [SiteScope, ...SiteScope[]];

export type ScopedQuery = { readonly routing: string; readonly body: Clause };

/** Shorter than the client's limit, so that OpenSearch stops first. */
const TIME_LIMIT = '3s';
const NO_HITS = { size: 0, track_total_hits: false, timeout: TIME_LIMIT };

/** Limits for similar words from all sites, few of which occur in the searched one. */
const MAX_SIMILAR_WORDS = { perWord: 50, perQuery: 300 };
const NO_LIMIT = 2_000_000_000;
/** OpenSearch's limit for inner hits, here the chunks of one page. */
const MAX_INNER_HITS = 100;

const inScope = (scope: SiteScope, tests: readonly Clause[] = []): Clause => allOf([...ofScope(scope), ...tests]);

/** Sums a site's pages, chunks, terms and stamps. The sum of stamps changes with every page. */
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

/** Counts for each word, given by its forms, the chunks that contain one of them. */
export const frequencies = (scope: SiteScope, words: readonly (readonly string[])[]): ScopedQuery => ({
  routing: scope.siteId,
  body: {
    ...NO_HITS,
    query: inScope(scope, [inChunk(hasTerm([...new Set(words.flat())]))]),
    aggs: { chunks: { nested: { path: 'chunks' }, aggs: { having: { filters: { filters: words.map(hasTerm) } } } } },
  },
});

/**
 * Looks up for each word: whether the site has it, how many pages spell it so, and its completions or similar
 * completions. These come from at most `sampledPages` matching pages of each shard.
 */
export function wordEntries(scopes: Scopes, words: readonly WordQuery[], sampledPages: number): ScopedQuery {
  const aggs = words.flatMap(({ word, forms, find }, i) => {
    const isExact = find === 'completions';
    const pattern = isExact ? completionsPattern(word) : similarCompletionsPattern(word);
    const words = { terms: { field: 'spellings', include: pattern, ...MOST_FREQUENT } };
    const found = { sampler: { shard_size: sampledPages }, aggs: { words } };
    const having = isExact ? { prefix: { spellings: word } } : { regexp: { spellings: pattern } };
    return [
      [`known${i}`, { filter: inChunk(hasTerm(forms)) }],
      ...(find ? [[`pages${i}`, { filter: { term: { spellings: word } } }]] : []),
      ...(isExact || find === 'similarCompletions' ? [[`found${i}`, { filter: having, aggs: { sample: found } }]] : []),
    ];
  });
  return {
    routing: routingOf(scopes),
    body: { ...NO_HITS, query: anyScope(scopes), aggs: Object.fromEntries(aggs) },
  };
}

/** Twice the number of returned words, because their order in a sample differs from that in all pages. */
const MOST_FREQUENT = { size: 2 * MAX_FOUND_WORDS, order: [{ _count: 'desc' }, { _key: 'asc' }] };

/** Counts the pages that spell each word so. */
export const spelledPages = (scopes: Scopes, words: readonly string[]): ScopedQuery => ({
  routing: routingOf(scopes),
  body: {
    ...NO_HITS,
    query: anyScope(scopes),
    aggs: { pages: { filters: { filters: words.map((word) => ({ term: { spellings: word } })) } } },
  },
});

/** Finds words within an edit distance, the most similar first. The caller must drop words of other sites. */
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

export type WeightedWord = { readonly forms: readonly string[]; readonly weight: number };

/** The weight of a word in the title; a word in the text has 1. */
const TITLE = 1.5;

/** Finds the best pages by words, title and boosts. A page counts by its best chunk. */
export function byWords(
  scope: SearchScope,
  { words, features, tests, ...most }: CandidateSearch & { readonly words: readonly WeightedWord[] },
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
  };
  const query = {
    bool: {
      filter: [...ofScope(scope), ...tests],
      must: [{ nested }],
      should: anyWordIn('titleWords', TITLE),
    },
  };
  const body = {
    ...NO_HITS,
    query: boosted(query, scope.boosts ?? NO_BOOSTS, scope),
    aggs: bestChunks(features, most),
  };
  return { routing: scope.siteId, body };
}

type CandidateSearch = {
  readonly features: FeatureQuery;
  readonly tests: readonly Clause[];
  readonly limit: number;
  readonly chunksPerPage: number;
};

/** Finds the nearest pages. A filter outside k-NN would apply only to the nearest pages of all sites. */
export function byVector(
  scope: SiteScope,
  { vector, features, tests, ...most }: CandidateSearch & { readonly vector: readonly number[] },
): ScopedQuery {
  const knn = { 'chunks.vector': { vector, k: most.limit, filter: inScope(scope, tests) } };
  const nested = { path: 'chunks', score_mode: 'max', query: { knn } };
  const query = { bool: { filter: ofScope(scope), must: [{ nested }] } };
  return { routing: scope.siteId, body: { ...NO_HITS, query, aggs: bestChunks(features, most) } };
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
      size: MAX_INNER_HITS,
      _source: false,
      docvalue_fields: ['chunks.ord'],
      stored_fields: ['chunks.headings', 'chunks.sections', 'chunks.text'],
    },
  };
  const query = inScope(scope, [{ nested }]);
  return { routing: scope.siteId, body: { size: refs.length, track_total_hits: false, timeout: TIME_LIMIT, query } };
}

export function facets(scopes: readonly [SearchScope, ...SearchScope[]], { fields, limit }: FacetQuery): ScopedQuery {
  const counts = fields.flatMap((field, i) => {
    const values = { field: field.field, ...('prefix' in field && { include: `${escaped(field.prefix)}.*` }) };
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

export const pagesWithText = (
  scope: SiteScope,
  { text, limit, after }: { readonly text: string; readonly limit: number; readonly after?: string },
): ScopedQuery => ({
  routing: scope.siteId,
  body: {
    size: limit,
    track_total_hits: false,
    timeout: TIME_LIMIT,
    _source: ['url', 'urlHash', 'title', 'revision'],
    query: inScope(scope, text === '' ? [] : textClause(text.toLowerCase())),
    sort: [{ url: 'asc' }],
    ...(after !== undefined && { search_after: [after] }),
  },
});

/**
 * Finds pages whose title has all words. Titles with the words as typed have a score and come first, then titles with a
 * typo; the shortest first.
 */
export const pagesByTitle = ({ scopes, limit, words }: TitleQuery): ScopedQuery => ({
  routing: routingOf(scopes),
  body: {
    size: limit,
    track_total_hits: false,
    timeout: TIME_LIMIT,
    _source: false,
    stored_fields: '_none_',
    docvalue_fields: ['siteId', 'url', 'suggestion'],
    query: {
      bool: {
        filter: [anyScope(scopes), ...titleClauses(words, { withTypos: true })],
        should: [{ constant_score: { filter: allOf(titleClauses(words, { withTypos: false })) } }],
      },
    },
    sort: [{ _score: 'desc' }, { titleLength: 'asc' }],
  },
});

export function pagesBelow(siteId: string, generation: number): ScopedQuery {
  const older = Number.isFinite(generation) ? [{ range: { generation: { lt: generation } } }] : [];
  return { routing: siteId, body: { query: allOf([{ term: { siteId } }, ...older]) } };
}
