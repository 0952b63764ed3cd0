import { VECTOR_BLOCKS } from '../../../text/words/cosine-scale.ts';
import {
  calibrated,
  coincidenceOf,
  combined,
  gateAt,
  meaningPart,
  meantShare,
  NO_EVIDENCE,
  openingByDistinction,
  openingByMeaning,
  repetition,
  scoreOf,
  titlePart,
  wordPart,
} from './ranking.ts';
import type { WeightedTerms } from './weighted-terms.ts';

const STEPS = 512;
/**
 * `repetition` at the end of each step of the share of BM25's bound. A table, because computing a power is slow.
 */
const REPETITION = Float64Array.from({ length: STEPS + 1 }, (_, i) => repetition(Math.min(1, (i + 1) / STEPS)));
/** Greater than the difference between a sum in 32 bits and the same sum in 64. */
const ROUNDING = 1e-5;

/** Features of chunks that are known without reading their postings. One entry per chunk. */
export type KnownEvidence = {
  /**
   * `terms`: the query's terms in the chunk, as bits. `weights`: the sum of their weights. `words`: the same sum, each
   * weight multiplied by the share of BM25's bound that its term reaches.
   */
  readonly terms: Int32Array;
  readonly weights: Float32Array;
  readonly words: Float32Array;
  /** NaN without a vector; exact to `cosineError`. */
  readonly cosines: Float32Array;
  readonly cosineError: number;
  /** 0 without a vector, else the index of its block in `VECTOR_BLOCKS`, plus 1. */
  readonly vectorKinds: Uint8Array;
};

/** Chunks with the query's agreement with their page's title and with a label. The first `length` entries count. */
export type AgreeingChunks = {
  readonly chunks: Uint32Array;
  readonly titles: Float64Array;
  /** Upper bounds. */
  readonly labels: Float64Array;
  readonly ceilings: Float64Array;
  readonly length: number;
};

/**
 * Writes an upper bound of each chunk's score, multiplied by `factor`, to `ceilings`. Much cheaper than scoring. One
 * loop over numbers, because objects and calls for each of 50,000 chunks are slow.
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
    const bits = found[chunk] as number;
    const distinction = terms.distinction(bits);
    const agreement = Math.max(terms.mostTogether(bits, weight), distinction, label, title);
    const meant = meantShare(isComparable ? (coincidences[kind] as number) : 0, near, agreement);
    const repeated = weight === 0 ? 0 : (REPETITION[((words[chunk] as number) * stepsPerWeight) | 0] as number);
    const meaning = meaningPart(near, meaningWeights[kind] as number);
    const gate = gateAt(terms.coverageBy(weight) + openingByDistinction(distinction) + openingByMeaning(near));
    const all = combined(meaning, wordPart(meant * repeated, label), titlePart(meant * title));
    ceilings[i] = calibrated(all * gate) * factor;
  }
}

/** Most terms of a query for which cosines are tabulated: the number of sets of terms doubles with each. */
const MAX_TERMS = 8;
const COSINE_STEPS = 200;
const ANY = -2;

/**
 * The cosine that a chunk needs to reach a score, given its terms of the query, the kind of its vector, and whether it
 * has a label. Rules out most chunks faster than their ceilings do. Not valid for a chunk whose page has a term of the
 * query in its title.
 */
export class NeededCosines {
  readonly #terms: WeightedTerms;
  readonly #score: number;
  readonly #cosineError: number;
  readonly #sets: number;
  /** NaN until computed. */
  readonly #cosines: Float64Array;

  constructor(terms: WeightedTerms, score: number, cosineError: number) {
    this.#terms = terms;
    this.#score = score;
    this.#cosineError = cosineError;
    this.#sets = terms.weights.length > MAX_TERMS ? 0 : 2 ** terms.weights.length;
    this.#cosines = new Float64Array(2 * (VECTOR_BLOCKS.length + 1) * this.#sets).fill(Number.NaN);
  }

  /** Returns a cosine up to which a chunk does not reach the score. `kind` as in `KnownEvidence.vectorKinds`. */
  of(found: number, kind: number, isLabelled: boolean): number {
    if (this.#sets === 0) return ANY;
    const index = (2 * kind + (isLabelled ? 1 : 0)) * this.#sets + found;
    const known = this.#cosines[index] as number;
    if (!Number.isNaN(known)) return known;
    const cosine = this.#find(found, kind, isLabelled);
    this.#cosines[index] = cosine;
    return cosine;
  }

  #find(found: number, kind: number, isLabelled: boolean): number {
    const terms = this.#terms;
    const share = terms.share(found);
    const evidence = {
      ...NO_EVIDENCE,
      block: VECTOR_BLOCKS[kind - 1] ?? 'table',
      bm25: share,
      together: terms.mostTogether(found, share * terms.total),
      distinction: terms.distinction(found),
      label: isLabelled ? share : 0,
      inChunk: share,
    };
    const cosineAt = (step: number): number => (2 * step) / COSINE_STEPS - 1;
    let [ruledOut, end] = [-1, COSINE_STEPS + 1];
    while (end - ruledOut > 1) {
      const middle = (ruledOut + end) >>> 1;
      if (scoreOf({ ...evidence, cosine: cosineAt(middle) }, terms) > this.#score) end = middle;
      else ruledOut = middle;
    }
    return ruledOut < 0 ? ANY : cosineAt(ruledOut) - this.#cosineError;
  }
}
