import type { CosineScale, VectorBlock } from '../../../text/words/cosine-scale.ts';
import type { CandidateChunk, PageCandidate, QueryTerm } from '../../ports/index-reader.ts';
import { saturation } from './bm25.ts';
import { bitsOf, type Statistics, WeightedTerms } from './weighted-terms.ts';

export type PageFeatures = Pick<PageCandidate, 'block' | 'inTitle' | 'titleLength'>;
export type ChunkFeatures = Omit<CandidateChunk, 'ord'>;

/*
 * Tuned on half of the PostgreSQL manual's index terms, half of the 50 questions, and index terms of the manuals of
 * Python, SQLite and Git; checked on the other halves (docs/decisions/020-ranking.md). No constant is needed to
 * two digits.
 */

/** Raises the share of BM25's upper bound: even a good hit is far from 1, because it does not repeat every word. */
const BM25_EXPONENT = 0.7;
/** Share of the words' weight lost if a passage has the words scattered and is about another subject. */
const COINCIDENCE = 0.85;
/** Nearness from which a passage is about the query's subject and loses no weight. */
const SAME_SUBJECT = 0.5;
/** Score of a label that equals the query. */
const LABEL_WEIGHT = 0.85;
/** Upper bound of the score by words in the text, however frequent. */
const TEXT_WEIGHT = 0.9;
/** Score of a title that equals the query. */
const TITLE_WEIGHT = 0.95;
/** Share of the text's score lost by a chunk of links only. A chunk loses nothing up to the usual share of links. */
const LINK_PENALTY = 0.5;
const USUAL_LINK_SHARE = 0.15;

/** Share of the score that a closed gate leaves, so that boosts and low thresholds still have an effect. */
const GATE_FLOOR = 0.3;
/** Coverage at which the gate begins to open, and the further coverage that opens it fully. */
const GATE_FROM = 0.38;
const GATE_WIDTH = 0.55;
/** Coverage that full nearness in meaning replaces. */
const GATE_SEMANTIC_WEIGHT = 0.75;
/** Coverage that rare words of the query replace if the chunk lacks the other words. */
const GATE_DISTINCTION_WEIGHT = 0.4;
/**
 * Lower bound of nearness in the gate. Texts are rarely further apart, except on the narrow scale of a model that
 * hardly distinguishes pages.
 */
const FARTHEST = -0.5;

/**
 * The raw score that is calibrated to `PROBABLY`. Fitted by `bench/calibration.ts` on questions that people asked and
 * on questions and words of other subjects.
 */
export const PROBABLY_RAW = 0.33;
/** Equal to `DEFAULT_MIN_SCORE`. */
const PROBABLY = 0.3;

/** Parameters of the script that chooses the best chunk of a page in OpenSearch. */
export const SCORE_PARAMETERS = {
  bm25Exponent: BM25_EXPONENT,
  coincidence: COINCIDENCE,
  sameSubject: SAME_SUBJECT,
  farthest: FARTHEST,
  labelWeight: LABEL_WEIGHT,
  textWeight: TEXT_WEIGHT,
  titleWeight: TITLE_WEIGHT,
  linkPenalty: LINK_PENALTY,
  usualLinkShare: USUAL_LINK_SHARE,
  gateFloor: GATE_FLOOR,
  gateFrom: GATE_FROM,
  gateWidth: GATE_WIDTH,
  gateSemanticWeight: GATE_SEMANTIC_WEIGHT,
  gateDistinctionWeight: GATE_DISTINCTION_WEIGHT,
} as const;

/** The features that a chunk's score is computed from. Shares are 0 to 1. */
export type Evidence = {
  readonly block: VectorBlock;
  readonly cosine: number | undefined;
  /** BM25 as a share of its upper bound for these terms, not of the best hit, which would then always be perfect. */
  readonly bm25: number;
  /** Share of the query found as a phrase, where half of it counts as 1 (`WeightedTerms.together`). */
  readonly together: number;
  /** Rarity of the query's words in the chunk (`WeightedTerms.distinction`). */
  readonly distinction: number;
  /** Agreement of the query with the best label, and with the title. */
  readonly label: number;
  readonly title: number;
  readonly linkShare: number;
  /** Share of the query's words in the chunk. */
  readonly inChunk: number;
};

/** Spread into all evidence, so that V8 gives it one hidden class. */
export const NO_EVIDENCE: Evidence = {
  block: 'table',
  cosine: undefined,
  bm25: 0,
  together: 0,
  distinction: 0,
  label: 0,
  title: 0,
  linkShare: 0,
  inChunk: 0,
};

/**
 * Scores how well a chunk answers a query, 0 to 1. About 0.3 means "probably about this" for every query and every
 * site. The score never falls when a cosine or a frequency rises.
 */
export function scorer(
  query: readonly QueryTerm[],
  statistics: Statistics,
  terms = new WeightedTerms(query, statistics),
): (page: PageFeatures, chunk: ChunkFeatures) => number {
  return (page, chunk) => scoreOf(evidenceOf(page, chunk, terms, statistics), terms);
}

export function evidenceOf(
  page: PageFeatures,
  { block = page.block, cosine, frequencies, length, phrase, labelLengths, linkShare }: ChunkFeatures,
  terms: WeightedTerms,
  { averageLength }: Statistics,
): Evidence {
  const inChunk = bitsOf(frequencies, (frequency) => frequency > 0);
  const inOrder = bitsOf(phrase, Boolean);
  let reached = 0;
  for (let i = 0; i < terms.weights.length; i++)
    reached += (terms.weights[i] as number) * saturation(frequencies[i] ?? 0, length, averageLength);
  return {
    ...NO_EVIDENCE,
    block,
    cosine,
    bm25: terms.total > 0 ? reached / terms.total : 0,
    together: terms.together(inChunk, inOrder),
    distinction: terms.distinction(inChunk),
    label: bestLabel(labelLengths, terms),
    title: terms.titleAgreement(bitsOf(page.inTitle, Boolean), page.titleLength),
    linkShare,
    inChunk: terms.share(inChunk),
  };
}

/** Returns the agreement with the best label. Assumes a term in longer labels too: only its shortest label is known. */
function bestLabel(labelLengths: readonly number[], terms: WeightedTerms): number {
  let best = 0;
  for (const most of new Set(labelLengths)) {
    if (most === 0) continue;
    const bits = bitsOf(labelLengths, (length) => length > 0 && length <= most);
    best = Math.max(best, terms.agreement(bits, most));
  }
  return best;
}

export function scoreOf(evidence: Evidence, terms: WeightedTerms): number {
  const { meaning, words, title, gate } = partsOf(evidence, terms);
  return calibrated(combined(meaning, words, title) * gate);
}

/** The parts of a score, which is `calibrated((1 - (1 - meaning) * (1 - words) * (1 - title)) * gate)`. */
export type ScoreParts = {
  readonly score: number;
  readonly meaning: number;
  readonly words: number;
  readonly title: number;
  readonly gate: number;
  readonly evidence: Evidence;
};

/** Returns the score of a chunk, as `scorer` does, with its parts. */
export function explainScore(
  query: readonly QueryTerm[],
  statistics: Statistics,
  page: PageFeatures,
  chunk: ChunkFeatures,
): ScoreParts {
  const terms = new WeightedTerms(query, statistics);
  const evidence = evidenceOf(page, chunk, terms, statistics);
  return { ...partsOf(evidence, terms), score: scoreOf(evidence, terms), evidence };
}

/** Computes the parts of a score from evidence. */
export function partsOf(evidence: Evidence, terms: WeightedTerms): Omit<ScoreParts, 'score' | 'evidence'> {
  const { block, cosine, bm25, together, distinction, label, title, linkShare, inChunk } = evidence;
  const scale = terms.scales[block];
  const isComparable = cosine !== undefined && Number.isFinite(cosine);
  const near = isComparable ? nearness(cosine, scale) : 0;
  const text = ownText(linkShare);
  const meant = meantShare(
    isComparable ? coincidenceOf(block) : 0,
    near,
    Math.max(together, distinction, label, title),
  );
  return {
    meaning: text * meaningPart(near, scale.weight),
    words: text * wordPart(meant * repetition(bm25), label),
    title: titlePart(meant * title),
    gate: gateAt(terms.coverage(inChunk) + openingByDistinction(distinction) + openingByMeaning(near)),
  };
}

/** Returns the factor of a chunk by its share of links: 1 up to the usual share, then lower. */
const ownText = (linkShare: number): number =>
  1 - LINK_PENALTY * clamp((linkShare - USUAL_LINK_SHARE) / (1 - USUAL_LINK_SHARE));

/* The functions below are monotonic in each number, because score-ceiling.ts computes upper bounds with them. */

/** Returns the cosine on the scale from unrelated (0) to nearly the same (1), not clamped. */
export const nearness = (cosine: number, { low, high }: CosineScale): number => (cosine - low) / (high - low);

export const meaningPart = (near: number, weight: number): number => weight * clamp(near);

export const repetition = (bm25: number): number => bm25 ** BM25_EXPONENT;

/** Returns the share of the words' weight that may be a coincidence; 0 for hashed vectors, which encode no meaning. */
export const coincidenceOf = (block: VectorBlock): number => (block === 'hash' ? 0 : COINCIDENCE);

/**
 * Returns the share of the words' weight that is not a coincidence: "window cleaning service" also matches passages
 * that mention windows, cleaning and services separately. `agreement`: the greatest of the features `together`,
 * `distinction`, `label` and `title`.
 */
export const meantShare = (coincidence: number, near: number, agreement: number): number =>
  1 - coincidence * (1 - agreement) * (1 - clamp(near / SAME_SUBJECT));

export const wordPart = (repeated: number, label: number): number =>
  TEXT_WEIGHT * (1 - (1 - repeated) * (1 - LABEL_WEIGHT * label));

export const titlePart = (title: number): number => TITLE_WEIGHT * title;

export const combined = (meaning: number, words: number, title: number): number =>
  1 - (1 - meaning) * (1 - words) * (1 - title);

export const openingByMeaning = (near: number): number => GATE_SEMANTIC_WEIGHT * Math.max(FARTHEST, near);

export const openingByDistinction = (distinction: number): number => GATE_DISTINCTION_WEIGHT * distinction;

/** Returns the factor that rejects poor matches, such as one common word out of three. */
export const gateAt = (opening: number): number =>
  GATE_FLOOR + (1 - GATE_FLOOR) * clamp((opening - GATE_FROM) / GATE_WIDTH);

/** Maps a raw score to a score, by two straight lines through 0, (`PROBABLY_RAW`, `PROBABLY`) and 1. */
export const calibrated = (raw: number): number =>
  raw < PROBABLY_RAW ? (raw * PROBABLY) / PROBABLY_RAW : 1 - ((1 - raw) * (1 - PROBABLY)) / (1 - PROBABLY_RAW);

function clamp(number: number): number {
  return Math.min(1, Math.max(0, number));
}
