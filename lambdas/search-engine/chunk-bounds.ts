import { VECTOR_BLOCKS } from '../core/search/cosine-scale.ts';
import type { Evidence } from '../core/search/ranking.ts';
import { scoreOf } from '../core/search/ranking.ts';
import { writeCeilings } from '../core/search/score-ceiling.ts';
import type { WeightedTerms } from '../core/search/weighted-terms.ts';
import type { ChunkScores } from './chunk-scores.ts';
import type { PageFacts } from './page-facts.ts';
import type { Segment } from './segment.ts';
import { type PageMask, TopPages } from './top-k.ts';

/** How far a cosine of `ChunkScores` may be off. */
const COSINE_ERROR = 0.005;
const COSINE_STEP = 0.01;

/** A segment of a site as a query scores it. */
export type ScoredSegment = {
  readonly segment: Segment;
  readonly terms: WeightedTerms;
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
 * so the bounds are close. `lower` collects the least scores of the pages of all sites. It gets the chunks that promise
 * most first, so that the others are compared with a high threshold.
 */
export function addChunkBounds(searched: readonly ScoredSegment[], lower: TopPages, bounds: ChunkBound[]): void {
  const finders = searched.map((scored) => new BoundFinder(scored, lower, bounds));
  const promising = new TopPages(lower.size, 0);
  for (const finder of finders) finder.findCeilings(promising);
  for (const finder of finders) finder.addChunksWithWords(promising.threshold, Infinity);
  for (const finder of finders) {
    finder.addChunksWithWords(-Infinity, promising.threshold);
    finder.addChunksByMeaning();
  }
}

class BoundFinder {
  readonly #scored: ScoredSegment;
  readonly #lower: TopPages;
  readonly #bounds: ChunkBound[];
  /** Reused for every chunk. */
  readonly #evidence: Writable<Evidence> = { ...NONE };
  #leastCosine = 0;
  #knownThreshold = -Infinity;

  constructor(scored: ScoredSegment, lower: TopPages, bounds: ChunkBound[]) {
    this.#scored = scored;
    this.#lower = lower;
    this.#bounds = bounds;
  }

  /** `promising` collects the pages of all sites by their highest ceiling. */
  findCeilings(promising: TopPages): void {
    this.#collectChunksWithWords();
    const { scores, segment, terms, firstPage, greatestFactor } = this.#scored;
    const { chunks, ceilings, length } = scores.bounded;
    const { vectorKinds } = segment;
    writeCeilings(scores.bounded, { ...scores, vectorKinds, cosineError: COSINE_ERROR }, terms);
    for (let i = 0; i < length; i++) {
      const ceiling = (ceilings[i] as number) * greatestFactor;
      if (ceiling <= promising.threshold) continue;
      const chunk = chunks[i] as number;
      promising.offer(firstPage + (segment.pageOf[chunk] as number), chunk, ceiling);
    }
  }

  /** Of those with at least the first ceiling, and less than the second one. */
  addChunksWithWords(from: number, to: number): void {
    const { scores, segment, greatestFactor } = this.#scored;
    const { chunks, titles, ceilings, length } = scores.bounded;
    for (let i = 0; i < length; i++) {
      const ceiling = (ceilings[i] as number) * greatestFactor;
      if (ceiling < from || ceiling >= to || ceiling <= this.#lower.threshold) continue;
      const chunk = chunks[i] as number;
      this.#addChunk(segment.pageOf[chunk] as number, chunk, titles[i] as number);
    }
  }

  addChunksByMeaning(): void {
    const { terms, titles, cosines } = this.#scored.scores;
    const { pageOf } = this.#scored.segment;
    let least = this.#leastCosineAlone();
    for (let chunk = 0; chunk < cosines.length; chunk++) {
      if (!((cosines[chunk] as number) > least) || terms[chunk] !== 0) continue;
      const page = pageOf[chunk] as number;
      if (titles[page] !== 0 || !this.#isAllowed(page)) continue;
      this.#addChunk(page, chunk, 0);
      least = this.#leastCosineAlone();
    }
  }

  /** The chunks with a word of the query, in them or in their page's title. */
  #collectChunksWithWords(): void {
    const { scores, segment } = this.#scored;
    const { bounded, withTerms, withTitles, terms } = scores;
    bounded.length = 0;
    for (let i = 0; i < withTerms.length; i++) {
      const chunk = withTerms.numbers[i] as number;
      const page = segment.pageOf[chunk] as number;
      if (this.#isAllowed(page)) bounded.push(chunk, this.#titleOf(page), this.#mostLabelOf(chunk));
    }
    for (let i = 0; i < withTitles.length; i++) {
      const page = withTitles.numbers[i] as number;
      if (!this.#isAllowed(page)) continue;
      const [from, end] = segment.chunksOf(page);
      for (let chunk = from; chunk < end; chunk++) if (terms[chunk] === 0) bounded.push(chunk, this.#titleOf(page), 0);
    }
  }

  #isAllowed(page: number): boolean {
    const { segment, mask } = this.#scored;
    return segment.isLive(page) && mask?.[page] !== 0;
  }

  /** The agreement of the query with the page's title. */
  #titleOf(page: number): number {
    const { scores, terms, segment } = this.#scored;
    const bits = scores.titles[page] as number;
    return bits === 0 ? 0 : terms.titleAgreement(bits, segment.titleLengths[page] as number);
  }

  /** The agreement of the query with the best label, if all its terms are in the shortest one. */
  #mostLabelOf(chunk: number): number {
    const { scores, terms } = this.#scored;
    const bits = scores.labels[chunk] as number;
    return bits === 0 ? 0 : terms.labelAgreement(bits, scores.shortestLabel[chunk] as number);
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

  /** Apart, because a method with a closure allocates it at each call, of which a search has 100,000. */
  #leastCosineAbove(threshold: number): number {
    const canBeBest = (step: number) =>
      VECTOR_BLOCKS.some((block) => {
        const evidence = { ...NONE, block, cosine: step * COSINE_STEP + COSINE_ERROR };
        return scoreOf(evidence, this.#scored.terms) * this.#scored.greatestFactor > threshold;
      });
    // The threshold rises, and the score with the cosine.
    let [ruledOut, end] = [Math.round(this.#leastCosine / COSINE_STEP), Math.round(1 / COSINE_STEP) + 1];
    while (end - ruledOut > 1) {
      const middle = (ruledOut + end) >>> 1;
      if (canBeBest(middle)) end = middle;
      else ruledOut = middle;
    }
    return ruledOut * COSINE_STEP;
  }

  #addChunk(page: number, chunk: number, title: number): void {
    const scored = this.#scored;
    const evidence = this.#evidence;
    const bits = scored.scores.terms[chunk] as number;
    this.#readEvidence(chunk, title);
    evidence.linkShare = (scored.segment.linkPercents[chunk] as number) / 100;
    evidence.inChunk = scored.terms.share(bits);
    evidence.together = scored.terms.together(bits, inOrder(bits));
    const most = scoreOf(evidence, scored.terms);
    if (most * scored.greatestFactor <= this.#lower.threshold) return;
    const factor = scored.factorOf(scored.segment.factsOf(page));
    const upper = most * factor;
    if (upper <= this.#lower.threshold) return;
    if (evidence.label > 0) evidence.label = leastLabel(scored, chunk);
    evidence.cosine = (scored.scores.cosines[chunk] as number) - COSINE_ERROR;
    evidence.together = scored.terms.together(bits, 0);
    const lower = factor * scoreOf(evidence, scored.terms);
    this.#bounds.push({ scored, page, chunk, lower, upper });
    this.#lower.offer(scored.firstPage + page, chunk, lower);
  }

  /** Assumes the most that cosine and labels can be. */
  #readEvidence(chunk: number, title: number): void {
    const { scores, terms, segment } = this.#scored;
    const evidence = this.#evidence;
    evidence.title = title;
    evidence.block = segment.blockOf(chunk) ?? 'table';
    evidence.cosine = (scores.cosines[chunk] as number) + COSINE_ERROR;
    evidence.bm25 = scores.terms[chunk] === 0 ? 0 : (scores.words[chunk] as number) / terms.total;
    evidence.label = this.#mostLabelOf(chunk);
  }
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const NONE: Evidence = {
  ...{ block: 'table', cosine: undefined, linkShare: 0 },
  ...{ bm25: 0, together: 0, label: 0, title: 0, inChunk: 0 },
};

/** The words that are next to each other at best. */
const inOrder = (words: number): number => ((words & (words - 1)) === 0 ? 0 : words);

/** Right if the terms are all in one label, or if there is one term. */
const leastLabel = ({ scores, terms }: ScoredSegment, chunk: number): number =>
  terms.agreement(scores.labels[chunk] as number, scores.longestLabel[chunk] as number);
