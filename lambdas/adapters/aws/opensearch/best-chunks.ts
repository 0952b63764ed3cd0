import { BM25_PARAMETERS } from '../../../core/search/bm25.ts';
import type { Clause } from './page-clauses.ts';
import { ALL, BEST_CHUNKS, CHUNK_STATE, CHUNKS, PAGE_FIELDS, PAGE_STATE, PAGES } from './scripts.ts';

/** What the words in a label are worth, beside those in the text. */
export const LABEL = 0.7;

/** The query as features are computed from it. */
export type FeatureQuery = {
  /** Hashes of the forms of all terms. */
  readonly hashes: readonly number[];
  /** The weight of each hash; 0 for a form that finds nothing. */
  readonly weights: readonly number[];
  /** Average number of terms in a chunk of the site. */
  readonly averageLength: number;
  readonly vector?: readonly number[] | undefined;
};

/**
 * The features of the best `limit` pages of each shard, and of their best chunks. One pass over the chunks of these
 * pages: `inner_hits` would be a search of its own for each page.
 */
export function bestChunks(
  { hashes, weights, averageLength, vector }: FeatureQuery,
  { limit, chunksPerPage }: { readonly limit: number; readonly chunksPerPage: number },
): Clause {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const pages = script({ init: PAGE_STATE, map: PAGE_FIELDS, combine: PAGES }, {});
  const chunks = script(
    { init: CHUNK_STATE, map: BEST_CHUNKS, combine: CHUNKS },
    { ...BM25_PARAMETERS, hashes, weights, total, averageLength, vector, label: LABEL, most: chunksPerPage },
  );
  return {
    best: {
      sampler: { shard_size: limit },
      aggs: { pages, chunks: { nested: { path: 'chunks' }, aggs: { best: chunks } } },
    },
  };
}

const script = (
  { init, map, combine }: Readonly<Record<'init' | 'map' | 'combine', string>>,
  params: Readonly<Record<string, unknown>>,
): Clause => ({
  scripted_metric: { init_script: init, map_script: map, combine_script: combine, reduce_script: ALL, params },
});
