import { flatString } from './flat-string.ts';
import { FNV_OFFSET, fnvStep } from './fnv1a.ts';

/** An ASCII character is part of a piece, as all others are, a gap, or a piece of its own. */
export const [PART, GAP, ALONE] = [0, 1, 2] as const;
export type CharacterRule = (character: string) => typeof PART | typeof GAP | typeof ALONE;

const ASCII = 128;

/** Characters. Longer pieces rarely repeat and are not cached. */
const LONGEST = 32;
const MAX_PIECES = 2 ** 17;
const MAX_CHARACTERS = 2 ** 20;
const SLOTS = 2 * MAX_PIECES;
/** Longest search for a piece: hostile texts may consist of pieces with colliding hashes. */
const MAX_PROBES = 32;

/**
 * Caches what is computed from pieces of text, such as words: at most 131,072 pieces with 1,048,576 characters. A
 * result never depends on the content of the cache.
 */
export class TokenCache<T> {
  readonly #rules: Uint8Array;
  readonly #compute: (piece: string, kind: number) => T;
  /** Hash table: in each slot a hash and a piece number, from 1 in order of arrival. */
  readonly #slots = new Int32Array(2 * SLOTS);
  readonly #kinds = new Uint8Array(MAX_PIECES + 1);
  /** The characters of all pieces in order, and where each piece ends. */
  readonly #characters = new Uint16Array(MAX_CHARACTERS);
  readonly #ends = new Int32Array(MAX_PIECES + 1);
  #values: (T | undefined)[] = [undefined];

  /** `compute` must depend only on the piece and its kind, a number from 0 to 255. */
  constructor(rule: CharacterRule, compute: (piece: string, kind: number) => T) {
    this.#rules = Uint8Array.from({ length: ASCII }, (_, code) => rule(String.fromCharCode(code)));
    this.#compute = compute;
  }

  /** Visits the value of each piece of a text, with the offset of the piece, in order. */
  forEach(text: string, kind: number, visit: (value: T, start: number) => void): void {
    const starts: number[] = [];
    for (const [i, value] of this.valuesOf(text, kind, starts).entries()) visit(value, starts[i] as number);
  }

  /** The value of each piece of a text, in order. Adds the offsets of the pieces to `starts`. */
  valuesOf(text: string, kind: number, starts?: number[]): readonly T[] {
    const values: T[] = [];
    const rules = this.#rules;
    const seed = seedOf(kind);
    let start = 0;
    let hash = seed;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const rule = code < ASCII ? rules[code] : PART;
      if (rule === PART) {
        hash = fnvStep(hash, code);
        continue;
      }
      if (at > start) {
        values.push(this.#get(text, start, at, kind, hash));
        starts?.push(start);
      }
      if (rule === ALONE) {
        values.push(this.#get(text, at, at + 1, kind, fnvStep(seed, code)));
        starts?.push(at);
      }
      start = at + 1;
      hash = seed;
    }
    if (text.length > start) {
      values.push(this.#get(text, start, text.length, kind, hash));
      starts?.push(start);
    }
    return values;
  }

  of(text: string, start: number, end: number, kind: number): T {
    let hash = seedOf(kind);
    for (let at = start; at < end; at++) hash = fnvStep(hash, text.charCodeAt(at));
    return this.#get(text, start, end, kind, hash);
  }

  #get(text: string, start: number, end: number, kind: number, hash: number): T {
    if (end - start > LONGEST) return this.#compute(text.slice(start, end), kind);
    let slot = firstSlot(hash);
    for (let probe = 0; probe < MAX_PROBES; probe++, slot = (slot + 1) % SLOTS) {
      const number = this.#slots[2 * slot + 1] as number;
      if (number === 0) return this.#add(flatString(text.slice(start, end)), kind, hash, slot);
      if (this.#slots[2 * slot] === hash && this.#kinds[number] === kind && this.#equals(number, text, start, end))
        return this.#values[number] as T;
    }
    return this.#compute(text.slice(start, end), kind);
  }

  get #isFull(): boolean {
    const last = this.#values.length - 1;
    return last === MAX_PIECES || (this.#ends[last] as number) > MAX_CHARACTERS - LONGEST;
  }

  #equals(number: number, text: string, start: number, end: number): boolean {
    let from = this.#ends[number - 1] as number;
    if ((this.#ends[number] as number) - from !== end - start) return false;
    for (let at = start; at < end; at++) if (this.#characters[from++] !== text.charCodeAt(at)) return false;
    return true;
  }

  #add(piece: string, kind: number, hash: number, slot: number): T {
    const value = this.#compute(piece, kind);
    if (this.#isFull) {
      this.#slots.fill(0);
      this.#values = [undefined];
      return value;
    }
    const number = this.#values.length;
    let end = this.#ends[number - 1] as number;
    for (let at = 0; at < piece.length; at++) this.#characters[end++] = piece.charCodeAt(at);
    this.#ends[number] = end;
    this.#kinds[number] = kind;
    this.#slots[2 * slot] = hash;
    this.#slots[2 * slot + 1] = number;
    this.#values.push(value);
    return value;
  }
}

const seedOf = (kind: number): number => fnvStep(FNV_OFFSET, kind);
const firstSlot = (hash: number): number => (hash ^ (hash >>> 15)) & (SLOTS - 1);
