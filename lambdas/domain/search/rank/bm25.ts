import type { QueryTerm, SiteStatistics } from '../../ports/index-reader.ts';

/** BM25's saturation of term frequency and its length normalisation, with the usual values. */
const K1 = 1.2;
const B = 0.75;
/** Separate from `K1` and `B`, because V8 does not fold exported constants. */
export const BM25_PARAMETERS = { k1: K1, b: B } as const;

/**
 * Returns the inverse document frequency of each term. It is 0 for question words, and for the unknown one of two
 * spellings of an identifier ("e-mail" and "email").
 */
export function termWeights(
  query: readonly QueryTerm[],
  { chunks, documentFrequency }: SiteStatistics,
): readonly number[] {
  const isKnown = (_: QueryTerm, i: number): boolean => (documentFrequency[i] ?? 0) > 0;
  const isOtherSpelling = ({ wholeAt }: QueryTerm, index: number): boolean => {
    if (wholeAt !== undefined) return (documentFrequency[wholeAt] ?? 0) > 0;
    const isPart = (term: QueryTerm) => term.wholeAt === index;
    return query.some(isPart) && query.every((term, i) => !isPart(term) || isKnown(term, i));
  };
  return query.map((term, i) => {
    if (term.question || (!isKnown(term, i) && isOtherSpelling(term, i))) return 0;
    return inverseFrequency(Math.min(documentFrequency[i] ?? 0, chunks), chunks);
  });
}

/** Returns the share of BM25's upper bound that a term's frequency in a chunk reaches, 0 to 1. Lengths are in terms. */
export function saturation(frequency: number, length: number, averageLength: number): number {
  const relativeLength = averageLength > 0 ? length / averageLength : 1;
  return frequency / (frequency + K1 * (1 - B + B * relativeLength));
}

export function inverseFrequency(documentFrequency: number, chunks: number): number {
  return Math.log(1 + (chunks - documentFrequency + 0.5) / (documentFrequency + 0.5));
}
