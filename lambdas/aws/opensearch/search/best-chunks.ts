import type { QueryTerm } from '../../../domain/ports/index-reader.ts';
import { indexesOfWholes, TERM_PARAMETERS, type WeightedTerms } from '../../../domain/search/rank/weighted-terms.ts';
import { VECTOR_BLOCKS } from '../../../text/words/cosine-scale.ts';
import { termHash } from '../index/term-occurrences.ts';
import type { Clause } from './page-clauses.ts';
import { ALL, BEST_CHUNKS, CHUNK_STATE, CHUNKS, PAGE_FIELDS, PAGE_STATE, PAGES } from './scripts.ts';

/** The weight of a word in a label; a word in the text has 1. */
export const LABEL = 0.7;

/** The query in the form from which features are computed. */
export type FeatureQuery = {
  readonly query: readonly QueryTerm[];
  /** All forms of all terms. */
  readonly forms: readonly string[];
  readonly weighted: WeightedTerms;
  /** Average number of terms in a chunk of the site. */
  readonly averageLength: number;
  readonly vector?: readonly number[] | undefined;
  /** The port promises dot products, and a page's vector has length 1. */
  readonly vectorLength: number;
};

/**
 * Aggregates the features of the best `limit` pages of each shard and of their best chunks, in one pass over the chunks
 * of these pages. `inner_hits` would be a separate search for each page.
 */
export function bestChunks(
  query: FeatureQuery,
  { limit, chunksPerPage }: { readonly limit: number; readonly chunksPerPage: number },
): Clause {
  const pages = script({ init: PAGE_STATE, map: PAGE_FIELDS, combine: PAGES }, {});
  const chunks = script(
    { init: CHUNK_STATE, map: BEST_CHUNKS, combine: CHUNKS },
    { ...parametersOf(query), most: chunksPerPage },
  );
  return {
    best: {
      sampler: { shard_size: limit },
      aggs: { pages, chunks: { nested: { path: 'chunks' }, aggs: { best: chunks } } },
    },
  };
}

/**
 * Returns the parameters of the scripts. `wholes` are the identifiers that have parts. A word is all terms at one
 * position of the query, without question words. Lists of forms hold indexes.
 */
function parametersOf({ query, forms, weighted, averageLength, vector, vectorLength }: FeatureQuery) {
  const { weights, commonness, total, needed, scales, isOneWord } = weighted;
  const wholes = indexesOfWholes(query);
  const named = query.filter(({ question }) => !question);
  const positions = [...new Set(named.map(({ position }) => position))].sort((a, b) => a - b);
  const indexes = (terms: readonly QueryTerm[]) => [
    ...new Set(terms.flatMap((term) => term.forms.map((form) => forms.indexOf(form)))),
  ];
  const at = (position: number) => named.filter((term) => term.position === position);
  return {
    weights,
    commonness,
    total: total || 1,
    needed: needed || 1,
    averageLength,
    vector,
    vectorLength,
    isOneWord,
    extraWord: (TERM_PARAMETERS.extraWordWeight * total) / Math.max(1, weights.filter((weight) => weight > 0).length),
    shared: weights.map((weight, i) => (weight > 0 && !wholes.has(i) ? 1 : 0)),
    hashes: forms.map(termHash),
    termOf: forms.map((form) => query.findIndex((term) => term.forms.includes(form))),
    wordOf: query.map(({ question, position }) => (question ? -1 : positions.indexOf(position))),
    formsOf: positions.map((position) => indexes(at(position))),
    wholesOf: positions.map((position) => indexes(at(position).filter((term) => wholes.has(query.indexOf(term))))),
    distances: positions.map((position, i) => position - (positions[i - 1] ?? position)),
    scales: VECTOR_BLOCKS.map((block) => [scales[block].low, scales[block].high, scales[block].weight]),
    hash: VECTOR_BLOCKS.indexOf('hash'),
  };
}

const script = (
  { init, map, combine }: Readonly<Record<'init' | 'map' | 'combine', string>>,
  params: Readonly<Record<string, unknown>>,
): Clause => ({
  scripted_metric: { init_script: init, map_script: map, combine_script: combine, reduce_script: ALL, params },
});
