import { indexesOfWholes, type QueryTerm } from '../language/query-terms.ts';
import { inverseFrequency, type SiteStatistics, saturation, termWeights } from './bm25.ts';

/** The kind of a text's vector: one of the two blocks of the built-in embedder, or of a model. */
export type VectorBlock = 'table' | 'hash' | 'model';

/** How cosines of one kind of vector are read: `low` means unrelated, `high` nearly the same; `weight` in the score. */
type CosineScale = { readonly low: number; readonly high: number; readonly weight: number };

export const COSINE_SCALES: Readonly<Record<VectorBlock, CosineScale>> = {
  table: { low: 0.2, high: 0.9, weight: 0.5 },
  hash: { low: 0.05, high: 0.6, weight: 0.3 },
  model: { low: 0.2, high: 0.9, weight: 0.6 },
};

/** Ranking features of a chunk, whose terms include title and headings. Arrays are indexed by query term. */
export type Features = {
  /** Absent without a vector. */
  readonly cosine?: number;
  readonly block: VectorBlock;
  readonly frequencies: readonly number[];
  /** The term matched only a similar word. */
  readonly typos: readonly boolean[];
  /** In terms. */
  readonly length: number;
  readonly inTitle: readonly boolean[];
  /** `titleLength` of the page's title. */
  readonly titleLength: number;
  readonly inPage: readonly boolean[];
  /** The term is next to another of the query's words, in their order. */
  readonly phrase: readonly boolean[];
  /** The length of the shortest label of the chunk that contains the term (core/language/labels.ts); 0 without one. */
  readonly labelLengths: readonly number[];
  /** The share of the chunk's text that is inside links, 0 to 1. */
  readonly linkShare: number;
};

/*
 * Tuned on half of the PostgreSQL manual's index terms, half of the 50 questions, and index terms of the manuals of
 * Python, SQLite and Git; checked on the other halves (docs/decisions/019-ranking-formula.md). No constant is needed to
 * two digits.
 */

/** Raises the share of BM25's bound: even a good hit is far from 1, since it does not repeat every word. */
const BM25_EXPONENT = 0.7;
/** Weight of a term that matched only a similar word. */
export const TYPO_WEIGHT = 0.7;
/** For all of the query's words together in their order. */
const PHRASE_WEIGHT = 0.15;
/** For a label that equals the query. */
const LABEL_WEIGHT = 0.85;
/** The most that words in the text count, however frequent they are. */
const TEXT_WEIGHT = 0.9;
/** For a title that equals the query. */
const TITLE_WEIGHT = 0.95;
/** For other question words: "How to sail" and "When to sail" differ only in these. */
const OTHER_QUESTION_PENALTY = 0.03;
/** For each word of a title or label that is not in the query, relative to the query's average word. */
const EXTRA_WORD_WEIGHT = 0.5;
/** For a chunk of links only, which leads to answers and contains none. Ordinary texts have some links. */
const LINK_PENALTY = 0.5;
const USUAL_LINK_SHARE = 0.15;

/** A closed gate leaves this share of the score, so that boosts and low thresholds can work. */
const GATE_FLOOR = 0.3;
/** Coverage at which the gate begins to open, and how much more opens it fully. */
const GATE_FROM = 0.35;
const GATE_WIDTH = 0.6;
/** The rest is the weight of coverage by the page, whose words may be scattered. */
const CHUNK_COVERAGE_WEIGHT = 0.7;
/** How much closeness in meaning replaces coverage by words. */
const GATE_SEMANTIC_WEIGHT = 0.75;
/** Each match beyond the first opens the gate further, rare words more: a long question may miss many words. */
const GATE_WORD_WEIGHT = 0.3;
const FIRST_WORDS = 1.3;
const MOST_WORDS = 3;

type Weighted = {
  /** The weight of each term, and its weight in a match of this chunk, which is lower for similar words. */
  readonly weights: readonly number[];
  readonly matchWeights: readonly number[];
  readonly total: number;
  /** Identifiers with parts, which `titleLength` does not count. */
  readonly wholes: ReadonlySet<number>;
};

/**
 * Scores how well a chunk answers a query, 0 to 1. About 0.3 means "probably about this" for every query and every
 * site. The score never falls when a cosine or a frequency rises.
 */
export function scorer(query: readonly QueryTerm[], statistics: SiteStatistics): (features: Features) => number {
  const weights = termWeights(query, statistics);
  const total = sum(weights);
  const wholes = indexesOfWholes(query);
  const questionWords = query.flatMap(({ question }, i) => (question ? [i] : []));
  return (features) => {
    const matchWeights = weights.map((weight, i) => weight * (features.typos[i] ? TYPO_WEIGHT : 1));
    const words = { weights, matchWeights, total, wholes };
    const near = nearness(features);
    const semantic = COSINE_SCALES[features.block].weight * clamp(near);
    const text = 1 - LINK_PENALTY * clamp((features.linkShare - USUAL_LINK_SHARE) / (1 - USUAL_LINK_SHARE));
    const lexical = TEXT_WEIGHT * wordAgreement(words, statistics, features);
    const title = TITLE_WEIGHT * titleAgreement(words, questionWords, features);
    return (1 - (1 - text * semantic) * (1 - text * lexical) * (1 - title)) * gate(words, statistics, near, features);
  };
}

/** The cosine on the scale from unrelated (0) to nearly the same (1), not clamped; 0 without a vector. */
function nearness({ cosine, block }: Features): number {
  if (cosine === undefined || !Number.isFinite(cosine)) return 0;
  const { low, high } = COSINE_SCALES[block];
  return (cosine - low) / (high - low);
}

function wordAgreement(words: Weighted, statistics: SiteStatistics, features: Features): number {
  const repeated = bm25Share(words, statistics, features) ** BM25_EXPONENT;
  const together = share(words, features.phrase);
  return 1 - (1 - repeated) * (1 - PHRASE_WEIGHT * together) * (1 - LABEL_WEIGHT * labelAgreement(words, features));
}

/** BM25 as a share of its upper bound for these terms. Relative to the best hit, every best hit would be perfect. */
function bm25Share({ matchWeights, total }: Weighted, { averageLength }: SiteStatistics, features: Features): number {
  const { frequencies, length } = features;
  const reached = sum(matchWeights, (weight, i) => weight * saturation(frequencies[i] ?? 0, length, averageLength));
  return total > 0 ? reached / total : 0;
}

function titleAgreement(words: Weighted, questionWords: readonly number[], { inTitle, titleLength }: Features): number {
  const missed = questionWords.filter((i) => !inTitle[i]).length;
  return (
    agreement(words, inTitle, titleLength) * (1 - (OTHER_QUESTION_PENALTY * missed) / Math.max(1, questionWords.length))
  );
}

/** Agreement with the best label. Of each term only the shortest label is known, so a longer one may have it too. */
function labelAgreement(words: Weighted, { labelLengths }: Features): number {
  if (labelLengths.every((length) => length === 0)) return 0;
  const lengths = [...new Set(labelLengths)].filter((length) => length > 0);
  const ofLength = lengths.map((most) =>
    agreement(
      words,
      labelLengths.map((length) => length > 0 && length <= most),
      most,
    ),
  );
  return Math.max(0, ...ofLength);
}

/** The share of the query in the title or label, times the reverse: 1 if both have the same terms. */
function agreement(words: Weighted, holds: readonly boolean[], length: number): number {
  const { weights, matchWeights, total, wholes } = words;
  const both = sum(matchWeights, (weight, i) => (holds[i] ? weight : 0));
  if (both === 0) return 0;
  const counted = weights.filter((weight) => weight > 0).length;
  const shared = weights.filter((weight, i) => weight > 0 && holds[i] && !wholes.has(i)).length;
  const beyond = EXTRA_WORD_WEIGHT * Math.max(0, length - shared) * (total / counted);
  return (both / total) * (both / (both + beyond));
}

/** Rejects poor matches: one common word out of three is no answer. */
function gate(words: Weighted, { chunks }: SiteStatistics, near: number, { frequencies, inPage }: Features): number {
  const inChunk = words.weights.map((_, i) => (frequencies[i] ?? 0) > 0);
  const found = inChunk.map((isHere, i) => isHere || inPage[i] === true);
  const shareInChunk = share(words, inChunk);
  const coverage = CHUNK_COVERAGE_WEIGHT * shareInChunk + (1 - CHUNK_COVERAGE_WEIGHT) * share(words, found);
  const rarest = inverseFrequency(0, chunks);
  const several = Math.min(MOST_WORDS, Math.max(0, (shareInChunk * words.total) / rarest - FIRST_WORDS));
  const open = coverage + GATE_SEMANTIC_WEIGHT * near + GATE_WORD_WEIGHT * several - GATE_FROM;
  return GATE_FLOOR + (1 - GATE_FLOOR) * clamp(open / GATE_WIDTH);
}

function share({ matchWeights, total }: Weighted, holds: readonly boolean[]): number {
  return total > 0 ? sum(matchWeights, (weight, i) => (holds[i] ? weight : 0)) / total : 0;
}

function sum(numbers: readonly number[], map: (number: number, index: number) => number = (number) => number): number {
  let total = 0;
  for (let i = 0; i < numbers.length; i++) total += map(numbers[i] as number, i);
  return total;
}

function clamp(number: number): number {
  return Math.min(1, Math.max(0, number));
}
