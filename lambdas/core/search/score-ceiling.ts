import {
  combined,
  type Evidence,
  gateAt,
  meaningPart,
  meantShare,
  nearness,
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
const REPETITION = Float64Array.from({ length: STEPS }, (_, i) => repetition((i + 1) / STEPS));
/** Greater than the difference between a sum in 32 bits and the same sum in 64. */
const ROUNDING = 1e-5;

/** How far a set of words opens the gate, and the most of the query that they are as one. */
type WordSet = Readonly<Record<'opening' | 'together', number>>;

/** The evidence that is known without reading terms; `label` may be too high, and `cosine` is NaN without a vector. */
type KnownEvidence = Readonly<Pick<Evidence, 'title' | 'label' | 'bm25' | 'block' | 'cosine'>>;

/**
 * Bounds the scores of chunks in a fraction of the time that the scores take. Sets of words are bits.
 */
export class ScoreCeiling {
  readonly #terms: WeightedTerms;
  readonly #sets = new Map<number, WordSet>();
  #lastBits = 0;
  #lastSet: WordSet;

  constructor(terms: WeightedTerms) {
    this.#terms = terms;
    this.#lastSet = this.#setOf(0);
  }

  /** `words` is the set of those in the chunk. */
  of({ title, label, bm25, block, cosine = Number.NaN }: KnownEvidence, words: number): number {
    if (words !== this.#lastBits) {
      this.#lastBits = words;
      this.#lastSet = this.#setOf(words);
    }
    const { opening, together } = this.#lastSet;
    const scale = this.#terms.scales[block];
    const near = Number.isNaN(cosine) ? 0 : nearness(cosine, scale);
    const repeated = words === 0 ? 0 : (REPETITION[Math.min(STEPS - 1, ((bm25 + ROUNDING) * STEPS) | 0)] as number);
    const meant = Number.isNaN(cosine) ? 1 : meantShare(block, near, Math.max(together, label, title));
    const gate = gateAt(opening + openingByMeaning(near));
    return combined(meaningPart(near, scale), wordPart(meant * repeated, label), titlePart(meant * title)) * gate;
  }

  #setOf(words: number): WordSet {
    const known = this.#sets.get(words);
    if (known !== undefined) return known;
    const isPhrase = (words & (words - 1)) !== 0;
    const set = {
      opening: this.#terms.coverage(this.#terms.share(words)),
      together: this.#terms.together(words, isPhrase ? words : 0),
    };
    this.#sets.set(words, set);
    return set;
  }
}
