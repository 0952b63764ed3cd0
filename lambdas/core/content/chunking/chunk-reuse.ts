import { FNV_PRIME, fnv1aOfText } from '../../fnv1a.ts';
import { EXTRACTION_VERSION } from '../extraction/extraction-version.ts';
import { type CutPlaces, MAX_TOKENS, type UnitRange } from './chunk-boundaries.ts';
import type { ChunkUnit } from './segments.ts';

/** Of a page that has nothing in common with its earlier version 100,000 tokens in units of 10 have as many. */
const MOST_RUNS = 400_000;
/** No chunk has as many, not even with headings that came to it since: a run with that hash is made to have it. */
const MOST_TOKENS = 2 * MAX_TOKENS;

/** A hash of any run of a page's units, modulo 2^32: the same run, cut by the same rules, has the same one. */
export class Fingerprints {
  /** Of all units before each; the hash of a run is a polynomial of those of its units (as in Rabin and Karp's search). */
  readonly #before: Uint32Array;
  readonly #powers: Uint32Array;

  constructor(units: readonly ChunkUnit[]) {
    this.#before = new Uint32Array(units.length + 1);
    this.#powers = new Uint32Array(units.length + 1).fill(1);
    for (const [index, { path, text }] of units.entries()) {
      const own = fnv1aOfText([EXTRACTION_VERSION, ...path, text].join('\n'));
      this.#before[index + 1] = Math.imul(this.#before[index] ?? 0, FNV_PRIME) + own;
      this.#powers[index + 1] = Math.imul(this.#powers[index] ?? 0, FNV_PRIME);
    }
  }

  of({ from, to }: UnitRange): number {
    return ((this.#before[to] ?? 0) - Math.imul(this.#before[from] ?? 0, this.#powers[to - from] ?? 0)) >>> 0;
  }
}

/**
 * Where chunks of an earlier version stand in this one, in order; `earlier` are the fingerprints of all that it had. Those at both ends
 * are told by their order, as a page may say the same many times; of what is between, any run that was a chunk there is one again, as
 * often as it was: what once had to be left alone need not be so wherever it stands.
 */
export function unchangedChunks(
  earlier: readonly number[],
  fingerprints: Fingerprints,
  places: CutPlaces,
): readonly UnitRange[] {
  const head = unchangedHead(earlier, fingerprints, places);
  const from = head.at(-1)?.to ?? 0;
  const tail = unchangedTail(earlier.slice(head.length), from, fingerprints, places);
  const to = tail[0]?.from ?? places.length;
  const others = earlier.slice(head.length, earlier.length - tail.length);
  return [...head, ...runsAmong(others, { from, to }, fingerprints, places), ...tail];
}

function unchangedHead(
  earlier: readonly number[],
  fingerprints: Fingerprints,
  places: CutPlaces,
): readonly UnitRange[] {
  const head: UnitRange[] = [];
  for (let from = 0, to = 1; to <= places.length && places.tokens({ from, to }) <= MOST_TOKENS; to++) {
    if (fingerprints.of({ from, to }) !== earlier[head.length]) continue;
    head.push({ from, to });
    from = to;
  }
  return head;
}

function unchangedTail(
  earlier: readonly number[],
  start: number,
  fingerprints: Fingerprints,
  places: CutPlaces,
): readonly UnitRange[] {
  const tail: UnitRange[] = [];
  for (let to = places.length, from = to - 1; from >= start && places.tokens({ from, to }) <= MOST_TOKENS; from--) {
    if (fingerprints.of({ from, to }) !== earlier.at(-1 - tail.length)) continue;
    tail.unshift({ from, to });
    to = from;
  }
  return tail;
}

/** Of the runs that begin at a unit the longest one; those that are found before too many have been looked at. */
function runsAmong(
  earlier: readonly number[],
  { from: start, to: end }: UnitRange,
  fingerprints: Fingerprints,
  places: CutPlaces,
): readonly UnitRange[] {
  const counts = new Map<number, number>();
  const add = (run: number, count: number) => counts.set(run, (counts.get(run) ?? 0) + count);
  for (const run of earlier) add(run, 1);
  const runs: UnitRange[] = [];
  let left = earlier.length > 0 ? MOST_RUNS : 0;
  for (let from = start; from < end && left > 0; from = Math.max(from + 1, runs.at(-1)?.to ?? 0)) {
    let longest = from;
    for (let to = from + 1; to <= end && places.tokens({ from, to }) <= MAX_TOKENS; to++, left--)
      if ((counts.get(fingerprints.of({ from, to })) ?? 0) > 0) longest = to;
    if (longest === from) continue;
    runs.push({ from, to: longest });
    add(fingerprints.of({ from, to: longest }), -1);
  }
  return runs;
}
