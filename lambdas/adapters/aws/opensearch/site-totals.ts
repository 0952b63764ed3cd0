import * as z from 'zod';
import type { SiteScope } from '../../../core/ports/page-index.ts';
import { type EngineIndex, parsed, searchAll } from './engine-search.ts';
import { frequencies } from './scoped-queries.ts';

const Sum = z.object({ value: z.number() });
const Totals = z.object({
  aggregations: z.object({
    stamps: z.object({ count: z.number(), sum: z.number().nullish() }),
    chunks: Sum,
    terms: Sum,
  }),
});
const Frequencies = z.object({
  aggregations: z.object({
    chunks: z.object({ having: z.object({ buckets: z.array(z.object({ doc_count: z.number() })) }) }),
  }),
});

export type SiteTotals = {
  /** Names the state of the site's pages: another one after every change. */
  readonly version: string;
  readonly chunks: number;
  /** Of a chunk, in terms. */
  readonly averageLength: number;
};

export function totalsOf(answer: unknown): SiteTotals {
  const { stamps, chunks, terms } = parsed(Totals, answer).aggregations;
  return {
    version: [stamps.count, stamps.sum ?? 0, chunks.value, terms.value].join(' '),
    chunks: chunks.value,
    averageLength: chunks.value > 0 ? terms.value / chunks.value : 0,
  };
}

/** In the order of the words that were asked for. */
export const frequenciesOf = (answer: unknown): readonly number[] =>
  parsed(Frequencies, answer).aggregations.chunks.having.buckets.map((bucket) => bucket.doc_count);

/** In how many chunks of a site each word is, in one of its forms. */
export async function chunksWith(
  index: EngineIndex,
  scope: SiteScope,
  words: readonly (readonly string[])[],
): Promise<readonly number[]> {
  if (words.length === 0) return [];
  const [answer] = await searchAll(index, [frequencies(scope, words)]);
  return frequenciesOf(answer);
}
