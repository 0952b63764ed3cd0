import { COSINE_SCALES, type VectorBlock } from '../core/search/cosine-scale.ts';
import type { Evidence } from '../core/search/ranking.ts';
import { scoreOf } from '../core/search/ranking.ts';
import type { ScoreCeiling } from '../core/search/score-ceiling.ts';
import type { WeightedTerms } from '../core/search/weighted-terms.ts';
import type { ChunkScores } from './chunk-scores.ts';
import type { PageFacts } from './page-facts.ts';
import type { Segment } from './segment.ts';
import type { PageMask, TopPages } from './top-k.ts';

/** How far a cosine of `ChunkScores` may be off. */
const COSINE_ERROR = 0.005;
const COSINE_STEP = 0.01;

const VECTOR_BLOCKS = Object.keys(COSINE_SCALES) as readonly VectorBlock[];

/** A segment of a site as a query scores it. */
export type ScoredSegment = {
  readonly segment: Segment;
  readonly terms: WeightedTerms;
  readonly ceiling: ScoreCeiling;
  readonly scores: ChunkScores;
  readonly mask: PageMask;
  readonly factorOf: (page: Pick<PageFacts, 'url' | 'tags'>) => number;
  /** The greatest factor that a page may have. */
  readonly greatestFactor: number;
  /** The number of this segment's first page among the pages of all. */
  readonly firstPage: number;
};

/** A chunk whose score, times the page's factor, is between `lower` and `upper`. */
export type ChunkBound = {
  readonly scored: ScoredSegment;
  readonly page: number;
  readonly chunk: number;
  readonly lower: number;
  readonly upper: number;
};

/**
 * Adds the chunks that may be among the best. All evidence but the order of the words is known without reading terms,
 * so the bounds are close. `lower` collects the least scores of the pages of all sites.
 */
export function addChunkBounds(scored: ScoredSegment, lower: TopPages, bounds: ChunkBound[]): void {
  const { mask, segment } = scored;
  const finder = new BoundFinder(scored, lower, bounds);
  for (let page = 0; page < segment.size; page++) if (segment.isLive(page) && mask?.[page] !== 0) finder.addPage(page);
}

class BoundFinder {
  readonly #scored: ScoredSegment;
  readonly #lower: TopPages;
  readonly #bounds: ChunkBound[];
  /** Reused for every chunk. */
  readonly #evidence: Writable<Evidence> = { ...NONE };
  #factor = 0;
  #leastCosine = 0;
  #knownThreshold = -Infinity;

  constructor(scored: ScoredSegment, lower: TopPages, bounds: ChunkBound[]) {
    this.#scored = scored;
    this.#lower = lower;
    this.#bounds = bounds;
  }

  addPage(page: number): void {
    const { scores, terms, segment } = this.#scored;
    const first = segment.firstChunks[page] as number;
    const end = segment.firstChunks[page + 1] as number;
    const title = scores.titles[page] as number;
    const evidence = this.#evidence;
    evidence.title = title === 0 ? 0 : terms.titleAgreement(title, segment.titleLengths[page] as number);
    this.#factor = 0;
    const least = title === 0 ? this.#leastCosineAlone() : -Infinity;
    for (let chunk = first; chunk < end; chunk++)
      if ((scores.terms[chunk] !== 0 || (scores.cosines[chunk] as number) > least) && !this.#isRuledOut(chunk))
        this.#addChunk(page, chunk);
  }

  /**
   * The least cosine with which a chunk can be among the best when neither it nor its page's title has a word of the
   * query.
   */
  #leastCosineAlone(): number {
    const { threshold } = this.#lower;
    if (threshold !== this.#knownThreshold) {
      this.#knownThreshold = threshold;
      this.#leastCosine = this.#leastCosineAbove(threshold);
    }
    return this.#leastCosine;
  }

  /** Apart, because a method with a closure allocates it at each call, and `addPage` has 100,000 in a search. */
  #leastCosineAbove(threshold: number): number {
    const canBeBest = (step: number) =>
      VECTOR_BLOCKS.some(
        (block) =>
          this.#scored.ceiling.of(0, 0, 0, block, step * COSINE_STEP + COSINE_ERROR) * this.#scored.greatestFactor >
          threshold,
      );
    // The threshold rises, and the score with the cosine.
    let [ruledOut, end] = [Math.round(this.#leastCosine / COSINE_STEP), Math.round(1 / COSINE_STEP) + 1];
    while (end - ruledOut > 1) {
      const middle = (ruledOut + end) >>> 1;
      if (canBeBest(middle)) end = middle;
      else ruledOut = middle;
    }
    return ruledOut * COSINE_STEP;
  }

  #isRuledOut(chunk: number): boolean {
    const { scores, terms, segment, greatestFactor } = this.#scored;
    if (scores.labels[chunk] !== 0) return false;
    const { title } = this.#evidence;
    const words = scores.terms[chunk] as number;
    const bm25 = words === 0 ? 0 : (scores.words[chunk] as number) / terms.total;
    const block = segment.blockOf(chunk) ?? 'table';
    const cosine = (scores.cosines[chunk] as number) + COSINE_ERROR;
    return this.#scored.ceiling.of(title, words, bm25, block, cosine) * greatestFactor <= this.#lower.threshold;
  }

  #addChunk(page: number, chunk: number): void {
    const scored = this.#scored;
    const evidence = this.#evidence;
    const cosine = scored.scores.cosines[chunk] as number;
    readEvidence(evidence, scored, chunk);
    evidence.cosine = cosine + COSINE_ERROR;
    const most = scoreOf(evidence, scored.terms);
    if (most * scored.greatestFactor <= this.#lower.threshold) return;
    if (this.#factor === 0) this.#factor = scored.factorOf(scored.segment.factsOf(page));
    const upper = most * this.#factor;
    if (upper <= this.#lower.threshold) return;
    if (evidence.label > 0) evidence.label = leastLabel(scored, chunk);
    evidence.cosine = cosine - COSINE_ERROR;
    evidence.together = scored.terms.together(scored.scores.terms[chunk] as number, 0);
    const lower = this.#factor * scoreOf(evidence, scored.terms);
    this.#bounds.push({ scored, page, chunk, lower, upper });
    this.#lower.offer(scored.firstPage + page, chunk, lower);
  }
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const NONE: Evidence = {
  ...{ block: 'table', cosine: undefined, linkShare: 0 },
  ...{ bm25: 0, together: 0, label: 0, title: 0, inChunk: 0 },
};

/** Assumes the most that the order of the words and the labels can be worth. */
function readEvidence(evidence: Writable<Evidence>, { segment, scores, terms }: ScoredSegment, chunk: number): void {
  const bits = scores.terms[chunk] as number;
  const labels = scores.labels[chunk] as number;
  evidence.block = segment.blockOf(chunk) ?? 'table';
  evidence.linkShare = (segment.linkPercents[chunk] as number) / 100;
  evidence.bm25 = bits === 0 ? 0 : (scores.words[chunk] as number) / terms.total;
  evidence.inChunk = terms.share(bits);
  const inOrder = (bits & (bits - 1)) === 0 ? 0 : bits;
  evidence.together = terms.together(bits, inOrder);
  evidence.label = labels === 0 ? 0 : terms.agreement(labels, scores.shortestLabel[chunk] as number);
}

/** Right if the terms are all in one label, or if there is one term. */
const leastLabel = ({ scores, terms }: ScoredSegment, chunk: number): number =>
  terms.agreement(scores.labels[chunk] as number, scores.longestLabel[chunk] as number);
