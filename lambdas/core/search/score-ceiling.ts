import { VECTOR_BLOCKS } from './cosine-scale.ts';
import {
  coincidenceOf,
  combined,
  gateAt,
  meaningPart,
  meantShare,
  openingByMeaning,
  repetition,
  titlePart,
  wordPart,
} from './ranking.ts';
import type { WeightedTerms } from './weighted-terms.ts';

const STEPS = 512;
/**
 * By the share of BM25's bound in steps: `repetition` at the end of the step. A power takes longer than all the rest.
 */
const REPETITION = Float64Array.from({ length: STEPS + 1 }, (_, i) => repetition(Math.min(1, (i + 1) / STEPS)));
/** Greater than the difference between a sum in 32 bits and the same sum in 64. */
const ROUNDING = 1e-5;

/** What is known of chunks without reading their terms: one entry per chunk. */
export type KnownEvidence = {
  /** The query's terms in the chunk as bits, the sum of their weights, and of these by their share of BM25's bound. */
  readonly terms: Int32Array;
  readonly weights: Float32Array;
  readonly words: Float32Array;
  /** NaN without a vector; exact to `cosineError`. */
  readonly cosines: Float32Array;
  readonly cosineError: number;
  /** 0 without a vector, else the index of its block in `VECTOR_BLOCKS`, plus 1. */
  readonly vectorKinds: Uint8Array;
};

/** The first `length` entries are chunks with the agreement of the query with their page's title, and with a label. */
export type AgreeingChunks = {
  readonly chunks: Uint32Array;
  readonly titles: Float64Array;
  /** At best. */
  readonly labels: Float64Array;
  readonly ceilings: Float64Array;
  readonly length: number;
};

/**
 * Writes the most that the score of each chunk can be, times the factor, in a fraction of the time that the scores
 * take. It is one loop over numbers, because a call and a name for each of 50,000 chunks would take longer than the
 * rest of a search.
 */
export function writeCeilings(
  { chunks, titles, labels, ceilings, length }: AgreeingChunks,
  { terms: found, weights, words, cosines, cosineError, vectorKinds }: KnownEvidence,
  terms: WeightedTerms,
  factor: number,
): void {
  const blocks = ['table', ...VECTOR_BLOCKS] as const;
  const scales = blocks.map((block) => terms.scales[block]);
  const unrelated = Float64Array.from(scales, ({ low }) => low - cosineError);
  const nearnessPerCosine = Float64Array.from(scales, ({ low, high }) => 1 / (high - low));
  const meaningWeights = Float64Array.from(scales, ({ weight }) => weight);
  const coincidences = Float64Array.from(blocks, coincidenceOf);
  const stepsPerWeight = terms.total > 0 ? (STEPS / terms.total) * (1 + ROUNDING) : 0;
  for (let i = 0; i < length; i++) {
    const chunk = chunks[i] as number;
    const kind = vectorKinds[chunk] as number;
    const weight = (weights[chunk] as number) * (1 + ROUNDING);
    const title = titles[i] as number;
    const label = labels[i] as number;
    const cosine = cosines[chunk] as number;
    const isComparable = !Number.isNaN(cosine);
    const near = isComparable ? (cosine - (unrelated[kind] as number)) * (nearnessPerCosine[kind] as number) : 0;
    const agreement = Math.max(terms.mostTogether(found[chunk] as number, weight), label, title);
    const meant = meantShare(isComparable ? (coincidences[kind] as number) : 0, near, agreement);
    const repeated = weight === 0 ? 0 : (REPETITION[((words[chunk] as number) * stepsPerWeight) | 0] as number);
    const meaning = meaningPart(near, meaningWeights[kind] as number);
    const gate = gateAt(terms.coverageBy(weight) + openingByMeaning(near));
    ceilings[i] = combined(meaning, wordPart(meant * repeated, label), titlePart(meant * title)) * gate * factor;
  }
}
