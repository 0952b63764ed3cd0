import type { QueryTerm } from '../language/query-terms.ts';

/** Statistics of the chunks of one site. Arrays are indexed by query term. */
export type SiteStatistics = {
  readonly chunks: number;
  /** In terms. */
  readonly averageLength: number;
  /** How many chunks contain the term in any of its forms. */
  readonly documentFrequency: readonly number[];
};

/** Saturation of a term's frequency, and normalisation by length; the usual values. */
export const BM25_K1 = 1.2;
export const BM25_B = 0.75;

/**
 * The inverse document frequency of each term, 0 for terms that do not count: question words, and the unknown spelling
 * of an identifier whose other spelling the site has ("e-mail" and "email", "well-known" and "well known").
 */
export function termWeights(
  query: readonly QueryTerm[],
  { chunks, documentFrequency }: SiteStatistics,
): readonly number[] {
  const isKnown = query.map((_, i) => (documentFrequency[i] ?? 0) > 0);
  const isOtherSpelling = (term: QueryTerm, index: number): boolean => {
    if (term.wholeAt !== undefined) return isKnown[term.wholeAt] === true;
    const parts = isKnown.filter((_, i) => query[i]?.wholeAt === index);
    return parts.length > 0 && parts.every(Boolean);
  };
  return query.map((term, i) => {
    if (term.question || (!isKnown[i] && isOtherSpelling(term, i))) return 0;
    return inverseFrequency(Math.min(documentFrequency[i] ?? 0, chunks), chunks);
  });
}

/** The share of BM25's bound that a term reaches by its frequency in a chunk, 0 up to 1; lengths in terms. */
export function saturation(frequency: number, length: number, averageLength: number): number {
  const relativeLength = averageLength > 0 ? length / averageLength : 1;
  return frequency / (frequency + BM25_K1 * (1 - BM25_B + BM25_B * relativeLength));
}

/** High for a word that few of the chunks contain. */
export function inverseFrequency(documentFrequency: number, chunks: number): number {
  return Math.log(1 + (chunks - documentFrequency + 0.5) / (documentFrequency + 0.5));
}
