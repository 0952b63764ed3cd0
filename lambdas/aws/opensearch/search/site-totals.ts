import * as z from 'zod';
import { parseAnswer } from './multi-search.ts';

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
  /** Fingerprint of the site's indexed pages: it changes with each of them. */
  readonly version: string;
  readonly chunks: number;
  /** Average length of a chunk in terms. */
  readonly averageLength: number;
};

export function totalsOf(answer: unknown): SiteTotals {
  const { stamps, chunks, terms } = parseAnswer(Totals, answer).aggregations;
  return {
    version: [stamps.count, stamps.sum ?? 0, chunks.value, terms.value].join(' '),
    chunks: chunks.value,
    averageLength: chunks.value > 0 ? terms.value / chunks.value : 0,
  };
}

export const frequenciesOf = (answer: unknown): readonly number[] =>
  parseAnswer(Frequencies, answer).aggregations.chunks.having.buckets.map((bucket) => bucket.doc_count);
