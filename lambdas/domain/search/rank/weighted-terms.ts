import { COSINE_SCALES, type CosineScales } from '../../../text/words/cosine-scale.ts';
import type { QueryTerm, SiteStatistics } from '../../ports/index-reader.ts';
import { inverseFrequency, termWeights } from './bm25.ts';

/** Statistics of a site. `scales`: the scales of its cosines, if they differ from the usual ones. */
export type Statistics = SiteStatistics & { readonly scales?: CosineScales | undefined };

/** Penalty of a title for other question words: "How to sail" and "When to sail" differ only in these. */
const OTHER_QUESTION_PENALTY = 0.03;
/** Weight of each word of a title or label that is not in the query, as a share of the query's average weight. */
const EXTRA_WORD_WEIGHT = 0.5;

/** If this share of a query is found as a phrase, it means the same as in the query. */
const ENOUGH_TOGETHER = 0.5;

/**
 * Most weight of a query that a page needs to cover, in units of the weight of a word that no chunk has. Answers lack
 * some words of long questions.
 */
const NEEDED_WORDS = 2.5;

/** Distinction of a chunk by one word of the greatest rarity. */
const SINGLE_WORD = 0.6;
/** Rarity above which a word adds distinction, as a share of the weight of a word that only one chunk has. */
const RARE_FROM = 0.7;
/** Least weight that rarity is measured against. A site of a few chunks has no rare words. */
const MIN_RARE_WEIGHT = 4;

/** Parameters of the script that chooses the best chunk of a page in OpenSearch. */
export const TERM_PARAMETERS = { extraWordWeight: EXTRA_WORD_WEIGHT, enoughTogether: ENOUGH_TOGETHER } as const;

/** Returns the indexes of the identifiers that have parts. */
export function indexesOfWholes(terms: readonly QueryTerm[]): ReadonlySet<number> {
  return new Set(terms.flatMap(({ wholeAt }) => wholeAt ?? []));
}

/** Sets bit i if item i passes. At most 32 items, the limit of a query's terms. */
export function bitsOf<T>(items: readonly T[], passes: (item: T, index: number) => boolean): number {
  let bits = 0;
  for (let i = 0; i < items.length; i++) if (passes(items[i] as T, i)) bits |= 1 << i;
  return bits;
}

/** Sets of a query's terms, as bits. */
type QueryBits = {
  /** Identifiers with parts, which `titleLength` does not count. */
  readonly wholes: number;
  /** Maps the index of an identifier with parts to the bits of the identifier and its parts. */
  readonly identifiers: ReadonlyMap<number, number>;
  /** The terms at each position. */
  readonly positions: readonly number[];
  readonly questionWords: number;
};

function queryBits(query: readonly QueryTerm[]): QueryBits {
  const wholes = indexesOfWholes(query);
  const positions = [...new Set(query.map(({ position }) => position))];
  return {
    wholes: bitsOf(query, (_, i) => wholes.has(i)),
    identifiers: new Map(
      Array.from(wholes, (whole) => [whole, bitsOf(query, ({ wholeAt }, i) => i === whole || wholeAt === whole)]),
    ),
    positions: positions.map((at) => bitsOf(query, ({ position }) => position === at)),
    questionWords: bitsOf(query, ({ question }) => question),
  };
}

/** A query's terms with their weights in one site. Sets of terms are bits. Results per set are cached. */
export class WeightedTerms {
  readonly weights: readonly number[];
  readonly total: number;
  readonly scales: CosineScales;
  /** The weight that covers the query fully. */
  readonly needed: number;
  /** One number per term: 1 for a word that many chunks have, less for a rarer one. */
  readonly commonness: readonly number[];
  readonly #rare: number;
  readonly #counted: number;
  readonly #query: QueryBits;
  readonly isOneWord: boolean;
  readonly #shares = new Map<number, number>();
  /** The number of sets of terms. */
  readonly #sets: number;
  readonly #agreements = new Map<number, number>();

  constructor(query: readonly QueryTerm[], statistics: Statistics) {
    this.scales = statistics.scales ?? COSINE_SCALES;
    this.weights = termWeights(query, statistics);
    this.total = this.weights.reduce((sum, weight) => sum + weight, 0);
    this.needed = Math.min(this.total, NEEDED_WORDS * inverseFrequency(0, statistics.chunks));
    const weightOfRarest = Math.max(MIN_RARE_WEIGHT, inverseFrequency(1, statistics.chunks));
    this.commonness = this.weights.map((weight) => commonness(weight / weightOfRarest));
    this.#rare = bitsOf(this.commonness, (common) => common < 1);
    this.#counted = bitsOf(this.weights, (weight) => weight > 0);
    this.#query = queryBits(query);
    this.#sets = 2 ** query.length;
    this.isOneWord = this.#query.positions.some((bits) => (this.#counted & ~bits) === 0);
  }

  /** Returns the share of the query's weight that these terms have. */
  share(bits: number): number {
    const known = this.#shares.get(bits);
    if (known !== undefined) return known;
    const share = this.total > 0 ? this.#weightOf(bits) / this.total : 0;
    this.#shares.set(bits, share);
    return share;
  }

  /** Returns 1 if half of the query is found as its only word, an identifier, or a `phrase`; a share of 1 for less. */
  together(found: number, phrase: number): number {
    if (this.isOneWord) return found === 0 ? 0 : 1;
    let bits = phrase;
    for (const [whole, parts] of this.#query.identifiers) if ((found & (1 << whole)) !== 0) bits |= parts & found;
    return Math.min(1, this.share(bits) / ENOUGH_TOGETHER);
  }

  /** Returns an upper bound of `together` for these terms. `weight`: the sum of their weights. */
  mostTogether(found: number, weight: number): number {
    if (this.isOneWord) return found === 0 ? 0 : 1;
    const canBeOne = (found & (found - 1)) !== 0 || (found & this.#query.wholes) !== 0;
    return canBeOne ? Math.min(1, weight / (this.total * ENOUGH_TOGETHER)) : 0;
  }

  /** Returns how well these terms distinguish a chunk, 0 to 1. Each rare word makes a coincidence less likely. */
  distinction(found: number): number {
    let left = found & this.#rare;
    if (left === 0) return 0;
    let coincidence = 1;
    for (; left !== 0; left &= left - 1) coincidence *= this.commonness[31 - Math.clz32(left & -left)] as number;
    return 1 - coincidence;
  }

  /** Returns the share of the needed weight that a share of the query's weight covers. */
  coverage(share: number): number {
    return this.coverageBy(share * this.total);
  }

  /** Returns the same as `coverage`, for a sum of weights. */
  coverageBy(weight: number): number {
    return this.needed > 0 ? Math.min(1, weight / this.needed) : 0;
  }

  /** Returns the `agreement` with a title, slightly less for other question words. `length`: its `titleLength`. */
  titleAgreement(bits: number, length: number): number {
    const { questionWords } = this.#query;
    const missed = countBits(questionWords & ~bits);
    const penalty = missed === 0 ? 0 : (OTHER_QUESTION_PENALTY * missed) / countBits(questionWords);
    return this.agreement(bits, length) * (1 - penalty);
  }

  /** Returns the share of the query in a title or label, times the reverse share: 1 if both have the same terms. */
  agreement(bits: number, length: number): number {
    const key = bits + this.#sets * length;
    const known = this.#agreements.get(key);
    if (known !== undefined) return known;
    const both = this.#weightOf(bits);
    const shared = countBits(bits & this.#counted & ~this.#query.wholes);
    const beyond = EXTRA_WORD_WEIGHT * Math.max(0, length - shared) * (this.total / countBits(this.#counted));
    const agreement = both === 0 ? 0 : (both / this.total) * (both / (both + beyond));
    this.#agreements.set(key, agreement);
    return agreement;
  }

  #weightOf(bits: number): number {
    let sum = 0;
    for (let i = 0; i < this.weights.length; i++) if ((bits & (1 << i)) !== 0) sum += this.weights[i] as number;
    return sum;
  }
}

const commonness = (rarity: number): number =>
  1 - SINGLE_WORD * Math.min(1, Math.max(0, (rarity - RARE_FROM) / (1 - RARE_FROM)));

export function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
