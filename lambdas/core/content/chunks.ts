import { BLOCK_RANK, type ChunkUnit, chunkUnits } from './chunk-units.ts';
import type { Block } from './page-content.ts';

/** A passage that is searched and quoted as one. */
export type Chunk = {
  readonly ord: number;
  /** The headings above all of it, outermost first, without the page's title; deeper ones stand in the text. */
  readonly headings: readonly string[];
  readonly text: string;
  /** How much of the text stands in links, 0 to 1 in hundredths. */
  readonly linkShare: number;
};

/**
 * What is cut leaves no less on either side, unless its units do not allow it. So near to each other two places exclude one another, and
 * an edit that brings one forward moves the other: with 200 here three to five times as many inserted paragraphs change more than two chunks.
 */
const MIN_TOKENS = 120;
const MAX_TOKENS = 400;
const MAX_CHUNKS = 1_000;
/** The cost of a place beside a better one, and of one that leaves too little on one side. */
const [WEAK, UNFIT] = [100, 200] as const;

/**
 * Cuts a page into passages of about 200 to 400 tokens where the text allows, of about 4,000 characters at most, and at most
 * 1,000 of them. What is too long is cut in two where the highest heading stands, else where a hash of the following text
 * is lowest, and so on; first at places that are better than all around them. So what is near decides, and an edit moves few cuts
 * besides those next to it.
 */
export function chunkPage(blocks: readonly Block[]): readonly Chunk[] {
  const units = chunkUnits(blocks, MAX_CHUNKS * MAX_TOKENS);
  const places = new CutPlaces(units);
  const chunks: Chunk[] = [];
  const waiting = [{ from: 0, to: units.length }];
  for (let part = waiting.pop(); part !== undefined && chunks.length < MAX_CHUNKS; part = waiting.pop()) {
    const { from, to } = part;
    const cut = places.best(from, to);
    if (cut !== undefined) waiting.push({ from: cut, to }, { from, to: cut });
    else if (to > from) chunks.push({ ord: chunks.length, ...joinUnits(units.slice(from, to)) });
  }
  return chunks;
}

/** The places between units, by how well they part a page. */
class CutPlaces {
  /** Tokens before each unit, of which every one counts for one at least. */
  readonly #before: Float64Array;
  /** Lower is better. */
  readonly #cost: Float64Array;

  constructor(units: readonly ChunkUnit[]) {
    this.#before = new Float64Array(units.length + 1);
    for (const [index, { tokens }] of units.entries())
      this.#before[index + 1] = (this.#before[index] ?? 0) + Math.max(1, tokens);
    const own = Float64Array.from(
      units,
      ({ rank, text, path }) => rank + hash(rank < BLOCK_RANK ? (path.at(-1) ?? '') : text),
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

  /** The unit before which units `from` to `to` are best cut; undefined if they fit together or are only one. */
  best(from: number, to: number): number | undefined {
    const start = this.#before[from] ?? 0;
    const total = (this.#before[to] ?? 0) - start;
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

/** A number from 0 up to 1 that only depends on the text (32-bit FNV-1a of its start). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length && i < 64; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0) / 2 ** 32;
}

function joinUnits(units: readonly ChunkUnit[]): Omit<Chunk, 'ord'> {
  const headings = commonPath(units);
  let text = '';
  let above = headings;
  for (const { path, text: own, glue } of units) {
    const shared = sharedLength(above, path);
    const titles = path.slice(shared);
    const part = [...titles, own].filter((line) => line !== '').join('\n\n');
    text += text === '' || part === '' ? part : (titles.length > 0 ? '\n\n' : glue) + part;
    above = path;
  }
  if (text === '') return { headings: headings.slice(0, -1), text: headings.at(-1) ?? '', linkShare: 0 };
  const linked = units.reduce((sum, unit) => sum + unit.linked, 0);
  return { headings, text, linkShare: Math.min(1, Math.round((100 * linked) / text.length) / 100) };
}

function commonPath(units: readonly ChunkUnit[]): readonly string[] {
  let common = units[0]?.path ?? [];
  for (const { path } of units) common = common.slice(0, sharedLength(common, path));
  return common;
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
