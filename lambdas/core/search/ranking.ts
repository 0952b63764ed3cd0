import type { QueryTerm } from '../language/query-terms.ts';

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
export type Evidence = {
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
};

const K1 = 1.2;
const B = 0.75;
const TYPO = 0.7;
const TITLE = 0.8;
const PHRASE = 0.2;

/**
 * How well a chunk answers a query, 0 to 1: about 0.3 is "probably about this" for every query and every site.
 * It never falls when a cosine or a frequency rises.
 */
export function score(query: readonly QueryTerm[], statistics: SiteStatistics, evidence: Evidence): number {
  const weights = termWeights(query, statistics);
  const near = nearness(evidence);
  const semantic = COSINE_SCALES[evidence.block].weight * clamp(near);
  const found = weights.map((_, i) => evidence.inPage[i] === true || (evidence.frequencies[i] ?? 0) > 0);
  const gate = 0.3 + 0.7 * clamp((share(weights, found) + 0.84 * near - 0.16) / 0.5);
  return (1 - (1 - semantic) * (1 - 0.9 * lexical(weights, statistics, evidence))) * gate;
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
    const having = Math.min(documentFrequency[place] ?? 0, chunks);
    return Math.log(1 + (chunks - having + 0.5) / (having + 0.5));
  });
}

/** Where the cosine lies between unrelated (0) and the same (1), uncut; 0 without a vector. */
function nearness({ cosine, block }: Evidence): number {
  if (cosine === undefined || !Number.isFinite(cosine)) return 0;
  const { low, high } = COSINE_SCALES[block];
  return (cosine - low) / (high - low);
}

function lexical(weights: readonly number[], statistics: SiteStatistics, evidence: Evidence): number {
  const words = Math.sqrt(matched(weights, statistics, evidence));
  const title = titleAgreement(weights, evidence);
  return 1 - (1 - words) * (1 - TITLE * title) * (1 - PHRASE * share(weights, evidence.phrase));
}

/** BM25 as a share of the most that it can reach for these terms: relative to the best hit every best hit would be perfect. */
function matched(weights: readonly number[], { averageLength }: SiteStatistics, evidence: Evidence): number {
  const relativeLength = averageLength > 0 ? evidence.length / averageLength : 1;
  const slowness = K1 * (1 - B + B * relativeLength);
  const total = sum(weights);
  if (total === 0) return 0;
  const reached = weights.map((weight, i) => {
    const frequency = Math.max(0, evidence.frequencies[i] ?? 0);
    return (weight * (evidence.typos[i] ? TYPO : 1) * frequency) / (frequency + slowness);
  });
  return sum(reached) / total;
}

/** 1 if query and title have the same terms. What a title has beyond the query counts like the query's average term. */
function titleAgreement(weights: readonly number[], { inTitle, titleLength }: Evidence): number {
  const counted = weights.filter((weight) => weight > 0).length;
  const both = sum(weights.filter((_, i) => inTitle[i]));
  if (both === 0) return 0;
  const shared = weights.filter((weight, i) => weight > 0 && inTitle[i]).length;
  const beyond = Math.max(0, titleLength - shared) * (sum(weights) / counted);
  return share(weights, inTitle) * (both / (both + beyond));
}

function share(weights: readonly number[], holds: readonly boolean[]): number {
  const total = sum(weights);
  return total > 0 ? sum(weights.filter((_, i) => holds[i])) / total : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function clamp(number: number): number {
  return Math.min(1, Math.max(0, number));
}

/** One chunk of a page with its score. */
export type Candidate = {
  /** What is one page: the same for all of its chunks, another for the same URL of another site. */
  readonly page: string;
  readonly url: string;
  readonly chunk: number;
  readonly score: number;
  /** The factors of the page's matching boosts. */
  readonly boosts: readonly number[];
};

export type Ranked<C extends Candidate> = {
  /** With the scores as shown: at most 1. */
  readonly results: readonly { readonly candidate: C; readonly score: number }[];
  readonly totalResults: number;
  /** All that reached `minScore`, also those before the offset and beyond the limit. */
  readonly passed: readonly C[];
};

/** The pages that reach `minScore`, each by its best chunk, in the order of the boosted, uncut scores, then of the URLs. */
export function rank<C extends Candidate>(
  candidates: readonly C[],
  { minScore, limit, offset }: { readonly minScore: number; readonly limit: number; readonly offset: number },
): Ranked<C> {
  const boosted = candidates.map((candidate) => ({
    candidate,
    score: candidate.score * boostFactor(candidate.boosts),
  }));
  const best = new Map<string, (typeof boosted)[number]>();
  for (const hit of boosted.sort(byRank)) {
    if (hit.score >= minScore && !best.has(hit.candidate.page)) best.set(hit.candidate.page, hit);
  }
  const shown = [...best.values()].slice(offset, offset + limit);
  return {
    results: shown.map((hit) => ({ candidate: hit.candidate, score: Math.min(1, hit.score) })),
    totalResults: best.size,
    passed: [...best.values()].map((hit) => hit.candidate),
  };
}

/** The product of a page's boosts, 0.01 to 100; those of zero or less do not count. */
export function boostFactor(boosts: readonly number[]): number {
  const product = boosts
    .filter((boost) => boost > 0 && Number.isFinite(boost))
    .reduce((total, boost) => total * boost, 1);
  return Math.min(100, Math.max(0.01, product));
}

type Hit = { readonly candidate: Candidate; readonly score: number };

function byRank(a: Hit, b: Hit): number {
  return (
    b.score - a.score ||
    inOrder(a.candidate.url, b.candidate.url) ||
    inOrder(a.candidate.page, b.candidate.page) ||
    a.candidate.chunk - b.candidate.chunk
  );
}

function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
