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

/** Raises the share of BM25's bound: even a good hit is far from 1, since it does not repeat every word. */
const BM25_EXPONENT = 0.7;
/** Share of the words' weight that is lost where a passage has the words apart and means something else. */
const COINCIDENCE = 0.85;
/** Nearness above which a passage has the query's subject, so that no weight is lost. */
const SAME_SUBJECT = 0.5;
/** Score of a label that equals the query. */
const LABEL_WEIGHT = 0.85;
/** The most that words in the text count, however frequent they are. */
const TEXT_WEIGHT = 0.9;
/** Score of a title that equals the query. */
const TITLE_WEIGHT = 0.95;
/** For a chunk of links only, which leads to answers and contains none. Ordinary texts have some links. */
const LINK_PENALTY = 0.5;
const USUAL_LINK_SHARE = 0.15;

/** A closed gate leaves this share of the score, so that boosts and low thresholds can work. */
const GATE_FLOOR = 0.3;
/** Coverage at which the gate begins to open, and how much more opens it fully. */
const GATE_FROM = 0.38;
const GATE_WIDTH = 0.55;
/** How much closeness in meaning replaces coverage by words. */
const GATE_SEMANTIC_WEIGHT = 0.75;
/** How much words that hardly any chunk has replace the other words of the query, which the chunk lacks. */
const GATE_DISTINCTION_WEIGHT = 0.4;
/**
 * Below it, nearness closes the gate no further. Texts in usual spaces are hardly ever so far apart; on the narrow
 * scale that is measured for a model that cannot tell pages apart, most are.
 */
const FARTHEST = -0.5;

/**
 * The raw score that becomes `PROBABLY`, fitted by `bench/calibration.ts` on questions that people asked and on
 * questions and words of other subjects.
 */
export const PROBABLY_RAW = 0.33;
/** `DEFAULT_MIN_SCORE`. */
const PROBABLY = 0.3;

/** For the script that chooses the best chunk of a page in OpenSearch. */
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

/** The evidence that a chunk's score is computed from; shares are 0 to 1. */
export type Evidence = {
  readonly block: VectorBlock;
  readonly cosine: number | undefined;
  /** BM25 as a share of its upper bound for these terms. Relative to the best hit, every best hit would be perfect. */
  readonly bm25: number;
  /** How far the words are found as one (`WeightedTerms.together`). */
  readonly together: number;
  /** How far its words single the chunk out (`WeightedTerms.distinction`). */
  readonly distinction: number;
  /** Agreement of the query with the best label, and with the title. */
  readonly label: number;
  readonly title: number;
  readonly linkShare: number;
  /** Share of the query's words in the chunk. */
  readonly inChunk: number;
};

/** Copies of it have one hidden class, so that V8 reads their fields quickly. */
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

/** Agreement with the best label. Of each term only the shortest label is known, so a longer one may have it too. */
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

/** The parts of a score: `1 - (1 - meaning) * (1 - words) * (1 - title)`, times `gate`, then `calibrated`. */
export type ScoreParts = {
  readonly score: number;
  readonly meaning: number;
  readonly words: number;
  readonly title: number;
  readonly gate: number;
  readonly evidence: Evidence;
};

/** The score of a chunk as `scorer` gives it, with its parts. */
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

/** The parts of the score that evidence has. */
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

/** Lower for a chunk of links. */
const ownText = (linkShare: number): number =>
  1 - LINK_PENALTY * clamp((linkShare - USUAL_LINK_SHARE) / (1 - USUAL_LINK_SHARE));

/* The functions below rise with each of their numbers. Bounds of scores are computed by them too (score-ceiling.ts). */

/** The cosine on the scale from unrelated (0) to nearly the same (1), not clamped. */
export const nearness = (cosine: number, { low, high }: CosineScale): number => (cosine - low) / (high - low);

export const meaningPart = (near: number, weight: number): number => weight * clamp(near);

export const repetition = (bm25: number): number => bm25 ** BM25_EXPONENT;

/** How much of the words can be a coincidence. Hashed vectors do not know meanings. */
export const coincidenceOf = (block: VectorBlock): number => (block === 'hash' ? 0 : COINCIDENCE);

/**
 * How much of the words in a passage and its title is no coincidence: "window cleaning service" meets passages about
 * windows, cleaning and services. `agreement` is the share of the query that is found as one, or how far the words
 * single the chunk out.
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

/** The gate rejects poor matches: one common word out of three is no answer. */
export const gateAt = (opening: number): number =>
  GATE_FLOOR + (1 - GATE_FLOOR) * clamp((opening - GATE_FROM) / GATE_WIDTH);

/** The last step: two straight lines through 0, the raw score that means "probably about this", and 1. */
export const calibrated = (raw: number): number =>
  raw < PROBABLY_RAW ? (raw * PROBABLY) / PROBABLY_RAW : 1 - ((1 - raw) * (1 - PROBABLY)) / (1 - PROBABLY_RAW);

function clamp(number: number): number {
  return Math.min(1, Math.max(0, number));
}
