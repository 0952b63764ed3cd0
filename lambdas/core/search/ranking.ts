import { indexesOfWholes, type QueryTerm } from '../language/query-terms.ts';

/** Which kind of vector a text has: one of the two blocks of the built-in embedder, or that of a model. */
export type VectorBlock = 'table' | 'hash' | 'model';

/** Where the cosines of one kind of vector lie: `low` is unrelated, `high` nearly the same, `weight` its say in the score. */
type CosineScale = { readonly low: number; readonly high: number; readonly weight: number };

export const COSINE_SCALES: Readonly<Record<VectorBlock, CosineScale>> = {
  table: { low: 0.2, high: 0.9, weight: 0.5 },
  hash: { low: 0.05, high: 0.6, weight: 0.3 },
  model: { low: 0.2, high: 0.9, weight: 0.6 },
};

/** Of the chunks of one site; the lists of this module go by the places of the query's terms. */
export type SiteStatistics = {
  readonly chunks: number;
  /** In terms. */
  readonly averageLength: number;
  /** In how many chunks the term is, in any of its forms. */
  readonly documentFrequency: readonly number[];
};

/** What speaks for one chunk of a page. A chunk's terms are those of its text with title and headings. */
export type Features = {
  /** Absent where there is no vector. */
  readonly cosine?: number;
  readonly block: VectorBlock;
  readonly frequencies: readonly number[];
  /** The term was met by a word that differs by a typo. */
  readonly typos: readonly boolean[];
  /** In terms. */
  readonly length: number;
  readonly inTitle: readonly boolean[];
  /** `titleLength` of the page's title. */
  readonly titleLength: number;
  /** Anywhere in the page. */
  readonly inPage: readonly boolean[];
  /** The term stands beside another of the query's words, in their order. */
  readonly phrase: readonly boolean[];
  /** The length of the shortest of the chunk's labels that has the term (core/language/labels.ts); 0 if none has it. */
  readonly labelLengths: readonly number[];
  /** How much of the chunk's text stands in links, 0 to 1. */
  readonly linkShare: number;
};

/*
 * Tuned on every other one of the PostgreSQL manual's index terms and of the 50 questions, and of index terms of the manuals of
 * Python, SQLite and Git; checked on the rest (docs/decisions/019-ranking-formula.md). They lie on a flat top: none of them is needed to two digits.
 */

/** Of BM25, as most engines have them. */
export const BM25_K1 = 1.2;
export const BM25_B = 0.75;
/** Even a good hit reaches a small share of BM25's bound, for it has not every word ten times: this brings it up. */
const WORDS_POWER = 0.7;
/** What a word counts that was met by another one, differing by a typo. */
export const TYPO_WEIGHT = 0.7;
/** All of the query's words together in their order, over what they are apart. */
const PHRASE = 0.15;
/** A label that is the query says what a chunk is about, nearly as surely as a title says it of a page. */
const LABEL = 0.85;
/** Words alone, however often, make no certainty. */
const LEXICAL = 0.9;
/** A page of this very title is what is looked for, whatever others say about it. */
const TITLE = 0.95;
/** "How to sail" and "When to sail" differ in words that count for nothing else. */
const OTHER_QUESTION = 0.03;
/** What each word counts that a title or label has beyond the query, in average words of the query. */
const BEYOND = 0.5;
/** What a chunk loses that is all links, for it leads to answers and is none. Texts have some links: it counts from a share on. */
const LINKS = 0.5;
const LINKS_FROM = 0.15;

/** Behind the closed gate a score is not nothing, so that boosts and low thresholds can work. */
const GATE_FLOOR = 0.3;
/** How much of what the words tell must be met for the gate to begin to open, and how much more for it to be open. */
const GATE_FROM = 0.35;
const GATE_WIDTH = 0.6;
/** Words scattered over a long page say less than those in one passage. */
const IN_CHUNK = 0.7;
/** Nearness in meaning stands in for words. */
const GATE_NEARNESS = 0.75;
/** Of a long question many words may be missed: each one met beyond the first is features by itself, the rarer the better. */
const GATE_WORD = 0.3;
const FIRST_WORDS = 1.3;
const MOST_WORDS = 3;

type Weighed = {
  /** What each of the query's terms counts, and what it counts where it is met. */
  readonly weights: readonly number[];
  readonly met: readonly number[];
  readonly total: number;
  /** Terms that `titleLength` does not count. */
  readonly wholes: ReadonlySet<number>;
};

/**
 * Says how well a chunk answers a query, 0 to 1: about 0.3 is "probably about this" for every query and every site.
 * The score never falls when a cosine or a frequency rises.
 */
export function scorer(query: readonly QueryTerm[], statistics: SiteStatistics): (features: Features) => number {
  const weights = termWeights(query, statistics);
  const total = sum(weights);
  const wholes = indexesOfWholes(query);
  const asking = query.flatMap(({ question }, place) => (question ? [place] : []));
  return (features) => {
    const met = weights.map((weight, i) => weight * (features.typos[i] ? TYPO_WEIGHT : 1));
    const words = { weights, met, total, wholes };
    const near = nearness(features);
    const semantic = COSINE_SCALES[features.block].weight * clamp(near);
    const text = 1 - LINKS * clamp((features.linkShare - LINKS_FROM) / (1 - LINKS_FROM));
    const lexical = LEXICAL * wordAgreement(words, statistics, features);
    const title = TITLE * titleAgreement(words, asking, features);
    return (1 - (1 - text * semantic) * (1 - text * lexical) * (1 - title)) * gate(words, statistics, near, features);
  };
}

/**
 * The inverse document frequency of each term, 0 for those that do not count: question words, and what the site does not have
 * of an identifier whose other spelling it has ("e-mail" where it writes "email", "well-known" where it writes "well known").
 */
export function termWeights(
  query: readonly QueryTerm[],
  { chunks, documentFrequency }: SiteStatistics,
): readonly number[] {
  const isKnown = query.map((_, i) => (documentFrequency[i] ?? 0) > 0);
  const isOtherSpelling = (term: QueryTerm, place: number): boolean => {
    if (term.wholeAt !== undefined) return isKnown[term.wholeAt] === true;
    const parts = isKnown.filter((_, i) => query[i]?.wholeAt === place);
    return parts.length > 0 && parts.every(Boolean);
  };
  return query.map((term, place) => {
    if (term.question || (!isKnown[place] && isOtherSpelling(term, place))) return 0;
    return inverseFrequency(Math.min(documentFrequency[place] ?? 0, chunks), chunks);
  });
}

/** Where the cosine lies between unrelated (0) and the same (1), uncut; 0 without a vector. */
function nearness({ cosine, block }: Features): number {
  if (cosine === undefined || !Number.isFinite(cosine)) return 0;
  const { low, high } = COSINE_SCALES[block];
  return (cosine - low) / (high - low);
}

function wordAgreement(words: Weighed, statistics: SiteStatistics, features: Features): number {
  const repeated = matched(words, statistics, features) ** WORDS_POWER;
  const together = share(words, features.phrase);
  return 1 - (1 - repeated) * (1 - PHRASE * together) * (1 - LABEL * labelAgreement(words, features));
}

/** BM25 as a share of the most that it can reach for these terms: relative to the best hit every best hit would be perfect. */
function matched({ met, total }: Weighed, { averageLength }: SiteStatistics, features: Features): number {
  const { frequencies, length } = features;
  const reached = sum(met, (weight, i) => weight * saturation(frequencies[i] ?? 0, length, averageLength));
  return total > 0 ? reached / total : 0;
}

/** How much of BM25's bound a term reaches by its frequency in a chunk, 0 up to 1; lengths in terms. */
export function saturation(frequency: number, length: number, averageLength: number): number {
  const relativeLength = averageLength > 0 ? length / averageLength : 1;
  return frequency / (frequency + BM25_K1 * (1 - BM25_B + BM25_B * relativeLength));
}

function titleAgreement(words: Weighed, asking: readonly number[], { inTitle, titleLength }: Features): number {
  const missed = asking.filter((place) => !inTitle[place]).length;
  return agreement(words, inTitle, titleLength) * (1 - (OTHER_QUESTION * missed) / Math.max(1, asking.length));
}

/** Of each term only the shortest label is known: those of terms that share a label have at most its length. */
function labelAgreement(words: Weighed, { labelLengths }: Features): number {
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

/** How much of the query a name has, by how much of the name is of the query: 1 if both have the same terms. */
function agreement(words: Weighed, holds: readonly boolean[], length: number): number {
  const { weights, met, total, wholes } = words;
  const both = sum(met, (weight, i) => (holds[i] ? weight : 0));
  if (both === 0) return 0;
  const counted = weights.filter((weight) => weight > 0).length;
  const shared = weights.filter((weight, i) => weight > 0 && holds[i] && !wholes.has(i)).length;
  const beyond = BEYOND * Math.max(0, length - shared) * (total / counted);
  return (both / total) * (both / (both + beyond));
}

/** Stops nonsense: of three words one common one that is met is no answer. */
function gate(words: Weighed, { chunks }: SiteStatistics, near: number, { frequencies, inPage }: Features): number {
  const inChunk = words.weights.map((_, i) => (frequencies[i] ?? 0) > 0);
  const found = inChunk.map((isHere, i) => isHere || inPage[i] === true);
  const shareInChunk = share(words, inChunk);
  const coverage = IN_CHUNK * shareInChunk + (1 - IN_CHUNK) * share(words, found);
  const rarest = inverseFrequency(0, chunks);
  const several = Math.min(MOST_WORDS, Math.max(0, (shareInChunk * words.total) / rarest - FIRST_WORDS));
  const open = coverage + GATE_NEARNESS * near + GATE_WORD * several - GATE_FROM;
  return GATE_FLOOR + (1 - GATE_FLOOR) * clamp(open / GATE_WIDTH);
}

function share({ met, total }: Weighed, holds: readonly boolean[]): number {
  return total > 0 ? sum(met, (weight, i) => (holds[i] ? weight : 0)) / total : 0;
}

/** High for a word that few chunks have, of so many. */
function inverseFrequency(having: number, chunks: number): number {
  return Math.log(1 + (chunks - having + 0.5) / (having + 0.5));
}

function sum(
  numbers: readonly number[],
  worth: (number: number, place: number) => number = (number) => number,
): number {
  let total = 0;
  for (let place = 0; place < numbers.length; place++) total += worth(numbers[place] as number, place);
  return total;
}

function clamp(number: number): number {
  return Math.min(1, Math.max(0, number));
}
