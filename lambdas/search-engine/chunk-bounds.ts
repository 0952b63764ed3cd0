import { type Evidence, NO_EVIDENCE, scoreOf } from '../domain/search/rank/ranking.ts';
import { type NeededCosines, writeCeilings } from '../domain/search/rank/score-ceiling.ts';
import type { WeightedTerms } from '../domain/search/rank/weighted-terms.ts';
import { VECTOR_BLOCKS } from '../text/words/cosine-scale.ts';
import type { ChunkScores } from './chunk-scores.ts';
import type { PageFacts } from './page-facts.ts';
import type { PageMask } from './page-mask.ts';
import type { Segment } from './segment.ts';
import type { TopPages } from './top-k.ts';

/** Maximum error of a cosine in `ChunkScores`. */
export const COSINE_ERROR = 0.005;
const COSINE_STEP = 0.01;

/** A segment with the query's scores. */
export type ScoredSegment = {
  readonly segment: Segment;
  readonly terms: WeightedTerms;
  readonly scores: ChunkScores;
  readonly mask: PageMask;
  readonly factorOf: (page: Pick<PageFacts, 'url' | 'tags'>) => number;
  /** The greatest factor that a page may have. */
  readonly greatestFactor: number;
  /** The cosines that chunks need to reach the minimum score. */
  readonly needed: NeededCosines;
  /** Number of this segment's first page; pages are numbered across all segments of all sites. */
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
 * Adds the chunks that may be among the best. The bounds are close: before terms are read, only the order of the words
 * is unknown. `lower` collects the lower bounds of the pages of all sites. It gets the most promising chunks first, so
 * that the others are compared with a high threshold (docs/decisions/021-candidates.md).
 */
export function addChunkBounds(searched: readonly ScoredSegment[], lower: TopPages, bounds: ChunkBound[]): void {
  const finders = searched.map((scored) => new BoundFinder(scored, lower, bounds));
  const ceilings = new ScoreCounts(Math.max(1, ...searched.map(({ greatestFactor }) => greatestFactor)));
  for (const finder of finders) finder.findCeilings(ceilings);
  const promising = ceilings.scoreReachedBy(lower.size);
  for (const finder of finders) finder.addChunksWithWords(promising, Infinity);
  for (const finder of finders) {
    finder.addChunksWithWords(-Infinity, promising);
    finder.addChunksByMeaning();
  }
}

const SCORE_STEPS = 256;

/** A histogram of chunk scores, in steps from 0 to the greatest possible score. */
class ScoreCounts {
  readonly #counts = new Uint32Array(SCORE_STEPS + 1);
  readonly #stepsPerScore: number;

  constructor(most: number) {
    this.#stepsPerScore = SCORE_STEPS / most;
  }

  add(score: number): void {
    const step = Math.min(SCORE_STEPS, Math.floor(score * this.#stepsPerScore));
    this.#counts[step] = (this.#counts[step] as number) + 1;
  }

  /** Returns the highest step that at least this many chunks reach; 0 if there are fewer. */
  scoreReachedBy(chunks: number): number {
    let step = SCORE_STEPS;
    for (let left = chunks; step > 0; step--) {
      left -= this.#counts[step] as number;
      if (left <= 0) break;
    }
    return step / this.#stepsPerScore;
  }
}

class BoundFinder {
  readonly #scored: ScoredSegment;
  readonly #lower: TopPages;
  readonly #bounds: ChunkBound[];
  /** Reused for every chunk. */
  readonly #evidence: Writable<Evidence> = { ...NO_EVIDENCE };
  #leastCosine = 0;
  #knownThreshold = -Infinity;

  constructor(scored: ScoredSegment, lower: TopPages, bounds: ChunkBound[]) {
    this.#scored = scored;
    this.#lower = lower;
    this.#bounds = bounds;
  }

  /** Computes the ceiling of each chunk's score, and counts it in the histogram of all sites. */
  findCeilings(counts: ScoreCounts): void {
    this.#collectChunksWithWords();
    const { scores, segment, terms, greatestFactor } = this.#scored;
    const { bounded } = scores;
    const { vectorKinds } = segment;
    writeCeilings(bounded, { ...scores, vectorKinds, cosineError: COSINE_ERROR }, terms, greatestFactor);
    for (let i = 0; i < bounded.length; i++) counts.add(bounded.ceilings[i] as number);
  }

  /** Adds the chunks with a ceiling greater than `above` and not greater than `most`. */
  addChunksWithWords(above: number, most: number): void {
    const { bounded } = this.#scored.scores;
    const { pageOf } = this.#scored.segment;
    const next = (from: number) => bounded.indexAbove(Math.max(above, this.#lower.threshold), from);
    for (let i = next(0); i < bounded.length; i = next(i + 1)) {
      if ((bounded.ceilings[i] as number) > most) continue;
      const chunk = bounded.chunks[i] as number;
      this.#addChunk(pageOf[chunk] as number, chunk, bounded.titles[i] as number);
    }
  }

  addChunksByMeaning(): void {
    const { scores, segment } = this.#scored;
    const next = (from: number) => scores.chunkAbove(this.#leastCosineAlone(), from);
    for (let chunk = next(0); chunk < segment.chunks; chunk = next(chunk + 1)) {
      const page = segment.pageOf[chunk] as number;
      const hasNoWord = scores.terms[chunk] === 0 && scores.titles[page] === 0;
      if (hasNoWord && this.#isAllowed(page)) this.#addChunk(page, chunk, 0);
    }
  }

  /**
   * Collects the chunks that can reach the minimum score and have a word of the query, in their text or in their page's
   * title.
   */
  #collectChunksWithWords(): void {
    const { scores, segment, needed } = this.#scored;
    const { bounded, withTerms, withTitles, terms, cosines, labels, titles } = scores;
    const { vectorKinds, pageOf } = segment;
    bounded.length = 0;
    for (let i = 0; i < withTerms.length; i++) {
      const chunk = withTerms.numbers[i] as number;
      const page = pageOf[chunk] as number;
      const cosine = needed.of(
        (terms[chunk] as number) | (labels[chunk] as number),
        vectorKinds[chunk] as number,
        labels[chunk] !== 0,
      );
      if ((cosines[chunk] as number) <= cosine && titles[page] === 0) continue;
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

  /** Returns the agreement of the query with the page's title. */
  #titleOf(page: number): number {
    const { scores, terms, segment } = this.#scored;
    const bits = scores.titles[page] as number;
    return bits === 0 ? 0 : terms.titleAgreement(bits, segment.titleLengths[page] as number);
  }

  /**
   * Returns the agreement of the query with the best label, assuming that the shortest label has all matching terms.
   */
  #mostLabelOf(chunk: number): number {
    const { scores, terms } = this.#scored;
    const bits = scores.labels[chunk] as number;
    return bits === 0 ? 0 : terms.agreement(bits, scores.shortestLabel[chunk] as number);
  }

  /**
   * Returns the cosine that a chunk must exceed to be among the best, if neither the chunk nor its page's title has a
   * word of the query.
   */
  #leastCosineAlone(): number {
    const { threshold } = this.#lower;
    if (threshold !== this.#knownThreshold) {
      this.#knownThreshold = threshold;
      this.#leastCosine = this.#leastCosineAbove(threshold);
    }
    return this.#leastCosine;
  }

  /** Separate from `#leastCosineAlone`: a method with a closure allocates it at each of 100,000 calls per search. */
  #leastCosineAbove(threshold: number): number {
    const canBeBest = (step: number) =>
      VECTOR_BLOCKS.some((block) => {
        const evidence = { ...NO_EVIDENCE, block, cosine: step * COSINE_STEP + COSINE_ERROR };
        return scoreOf(evidence, this.#scored.terms) * this.#scored.greatestFactor > threshold;
      });
    // The threshold never falls, and a score rises with its cosine.
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
    evidence.distinction = scored.terms.distinction(bits);
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

  /** Assumes the greatest possible cosine and label agreement. */
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

/** Assumes that all matching words are next to each other. A single word has no neighbour. */
const inOrder = (words: number): number => ((words & (words - 1)) === 0 ? 0 : words);

/** Returns a lower bound of the label agreement if one label has all matching terms, or if there is only one term. */
const leastLabel = ({ scores, terms }: ScoredSegment, chunk: number): number =>
  terms.agreement(scores.labels[chunk] as number, scores.longestLabel[chunk] as number);
