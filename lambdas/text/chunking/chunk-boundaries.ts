import { fnv1aOfText } from '../words/fnv1a.ts';
import { MAX_TOKENS } from './count-tokens.ts';
import { BLOCK_RANK, type ChunkPart } from './segments.ts';

/** Segments `from` up to, and without, `to`. */
export type SegmentRange = { readonly from: number; readonly to: number };

/** Minimum chunk size, if possible, and the radius within which only the best boundary counts. */
const MIN_TOKENS = 120;
/** Costs of a boundary with a better one within the radius, and of one that leaves too little on one side. */
const [WEAK, UNFIT] = [100, 200] as const;
const HASHED_CHARACTERS = 64;

/** The costs of the boundaries between segments, each named by the index of the segment after it. */
export class ChunkBoundaries {
  /** Tokens before each segment; every segment counts for at least one. */
  readonly #tokensBefore: Float64Array;
  readonly #cost: Float64Array;

  constructor(segments: readonly ChunkPart[]) {
    this.#tokensBefore = new Float64Array(segments.length + 1);
    for (const [i, { tokens }] of segments.entries())
      this.#tokensBefore[i + 1] = (this.#tokensBefore[i] ?? 0) + Math.max(1, tokens);
    const own = Float64Array.from(segments, ownCost);
    this.#cost = own.map((cost, i) => (this.#isBestAround(i, own) ? cost : WEAK + cost));
  }

  /** Returns whether a boundary is far enough from both ends and no other within the radius is better. */
  #isBestAround(index: number, own: Float64Array): boolean {
    const at = this.#tokensBefore[index] ?? 0;
    if (Math.min(at, (this.#tokensBefore[own.length] ?? 0) - at) < MIN_TOKENS) return false;
    const cost = own[index] ?? 0;
    for (let i = index - 1; at - (this.#tokensBefore[i] ?? 0) < MIN_TOKENS; i--)
      if ((own[i] ?? 0) <= cost) return false;
    for (let i = index + 1; (this.#tokensBefore[i] ?? 0) - at < MIN_TOKENS; i++) if ((own[i] ?? 0) < cost) return false;
    return true;
  }

  get length(): number {
    return this.#cost.length;
  }

  /**
   * Returns the best boundary at which to split a range; undefined if the range fits into a chunk or is one segment.
   */
  best({ from, to }: SegmentRange): number | undefined {
    const start = this.#tokensBefore[from] ?? 0;
    const total = (this.#tokensBefore[to] ?? 0) - start;
    if (total <= MAX_TOKENS) return undefined;
    let best: number | undefined;
    let bestCost = Number.POSITIVE_INFINITY;
    let bestShorter = 0;
    for (let i = from + 1; i < to; i++) {
      const left = (this.#tokensBefore[i] ?? 0) - start;
      const shorter = Math.min(left, total - left);
      const own = this.#cost[i] ?? 0;
      const cost = own < WEAK || shorter >= MIN_TOKENS ? own : UNFIT;
      // At equal cost the boundary nearer to the middle wins, which also keeps the number of steps low.
      if (cost > bestCost || (cost === bestCost && shorter <= bestShorter)) continue;
      best = i;
      bestCost = cost;
      bestShorter = shorter;
    }
    return best;
  }
}

/** Returns the rank of a segment plus a fraction: the hash of its start, or of the heading above it. */
function ownCost({ rank, text, path }: ChunkPart): number {
  const hashed = rank < BLOCK_RANK ? (path.at(-1)?.text ?? '') : text;
  return rank + fnv1aOfText(hashed.slice(0, HASHED_CHARACTERS)) / 2 ** 32;
}

/**
 * Splits a page recursively at the best boundary: the highest heading, else the lowest content hash (content-defined
 * chunking). An edit moves only boundaries near it (docs/decisions/017-chunks.md).
 */
export function splitPage(boundaries: ChunkBoundaries): readonly SegmentRange[] {
  const parts: SegmentRange[] = [];
  const pending: SegmentRange[] = [{ from: 0, to: boundaries.length }];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const boundary = boundaries.best(range);
    if (boundary !== undefined) pending.push({ from: boundary, to: range.to }, { from: range.from, to: boundary });
    else if (range.to > range.from) parts.push(range);
  }
  return parts;
}
