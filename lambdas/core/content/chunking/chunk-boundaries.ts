import { fnv1aOfText } from '../../fnv1a.ts';
import { BLOCK_RANK, type Segment } from './segments.ts';

/** Units `from` up to, and without, `to`. */
export type SegmentRange = { readonly from: number; readonly to: number };

/**
 * What is cut leaves no less on either side, unless its units do not allow it. So near to each other two places exclude one another, and an
 * edit that brings one forward moves the other: by the text alone, with 200 three to five times as many paragraphs change more than two chunks.
 */
export const MIN_TOKENS = 120;
export const MAX_TOKENS = 400;
/** What a place costs more beside a better one, or with too little on one side of it. */
const [WEAK, UNFIT] = [100, 200] as const;
/** Of the text that tells one place from another. */
const HASHED_CHARACTERS = 64;

/** The places between units, by how well they part a page. */
export class ChunkBoundaries {
  /** Tokens before each unit, of which every one counts for one at least. */
  readonly #before: Float64Array;
  /** Lower is better. */
  readonly #cost: Float64Array;

  constructor(units: readonly Segment[]) {
    this.#before = new Float64Array(units.length + 1);
    for (const [index, { tokens }] of units.entries())
      this.#before[index + 1] = (this.#before[index] ?? 0) + Math.max(1, tokens);
    const own = Float64Array.from(
      units,
      ({ rank, text, path }) =>
        rank + fnv1aOfText((rank < BLOCK_RANK ? (path.at(-1) ?? '') : text).slice(0, HASHED_CHARACTERS)) / 2 ** 32,
    );
    this.#cost = own.map((cost, place) => (this.#isBestAround(place, own) ? cost : WEAK + cost));
  }

  /** Whether it is far enough from both ends, and from any that is better. */
  #isBestAround(place: number, own: Float64Array): boolean {
    const at = this.#before[place] ?? 0;
    if (Math.min(at, (this.#before[own.length] ?? 0) - at) < MIN_TOKENS) return false;
    const cost = own[place] ?? 0;
    for (let i = place - 1; at - (this.#before[i] ?? 0) < MIN_TOKENS; i--) if ((own[i] ?? 0) <= cost) return false;
    for (let i = place + 1; (this.#before[i] ?? 0) - at < MIN_TOKENS; i++) if ((own[i] ?? 0) < cost) return false;
    return true;
  }

  /** Of the units. */
  get length(): number {
    return this.#cost.length;
  }

  tokens({ from, to }: SegmentRange): number {
    return (this.#before[to] ?? 0) - (this.#before[from] ?? 0);
  }

  /** The unit before which a range is best cut; undefined if its units fit together or are only one. */
  best({ from, to }: SegmentRange): number | undefined {
    const start = this.#before[from] ?? 0;
    const total = this.tokens({ from, to });
    if (total <= MAX_TOKENS) return undefined;
    let best: number | undefined;
    let bestCost = Number.POSITIVE_INFINITY;
    let bestShorter = 0;
    for (let i = from + 1; i < to; i++) {
      const left = (this.#before[i] ?? 0) - start;
      const shorter = Math.min(left, total - left);
      const own = this.#cost[i] ?? 0;
      const cost = own < WEAK || shorter >= MIN_TOKENS ? own : UNFIT;
      // Of equal places the one nearer to the middle, which also keeps the number of steps low.
      if (cost > bestCost || (cost === bestCost && shorter <= bestShorter)) continue;
      best = i;
      bestCost = cost;
      bestShorter = shorter;
    }
    return best;
  }
}
