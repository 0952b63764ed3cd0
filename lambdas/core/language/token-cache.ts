import { flatString } from './flat-string.ts';

/** What an ASCII character is to the pieces of a text: part of one as all others are, between them, or one of its own. */
export const [PART, GAP, ALONE] = [0, 1, 2] as const;
export type CharacterRule = (character: string) => typeof PART | typeof GAP | typeof ALONE;

const { imul } = Math;
const ASCII = 128;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Longer pieces rarely come again. */
const LONGEST = 32;
const MOST = 2 ** 17;
const MOST_CHARACTERS = 2 ** 20;
const SLOTS = 2 * MOST;
/** Pieces of like hashes stand one after the other; of so many, chosen to meet, no more are remembered. */
const MOST_MEETING = 32;

/**
 * What is made of the pieces of texts, runs of characters such as words: the same ones come again and again. Which of them are
 * remembered, at most 131,072 with 1,048,576 characters, changes no answer.
 */
export class TokenCache<T> {
  readonly #rules: Uint8Array;
  readonly #make: (piece: string, kind: number) => T;
  /** Numbers of pieces, from 1 in the order in which they came: the most frequent ones lie close together. */
  readonly #slots = new Int32Array(SLOTS);
  readonly #hashes = new Int32Array(MOST + 1);
  readonly #kinds = new Uint8Array(MOST + 1);
  /** Of all pieces in their order, and where those of each end. */
  readonly #characters = new Uint16Array(MOST_CHARACTERS);
  readonly #ends = new Int32Array(MOST + 1);
  #made: (T | undefined)[] = [undefined];

  /** What is made depends on the piece and on a kind alone, a number from 0 to 255. */
  constructor(rule: CharacterRule, make: (piece: string, kind: number) => T) {
    this.#rules = Uint8Array.from({ length: ASCII }, (_, code) => rule(String.fromCharCode(code)));
    this.#make = make;
  }

  /** Gives what is made of each piece of a text, with the offset of its start, in order. */
  eachIn(text: string, kind: number, visit: (made: T, start: number) => void): void {
    const rules = this.#rules;
    const seed = seedOf(kind);
    let start = 0;
    let hash = seed;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const rule = code < ASCII ? rules[code] : PART;
      if (rule === PART) {
        hash = hashed(hash, code);
        continue;
      }
      if (at > start) visit(this.#get(text, start, at, kind, hash), start);
      if (rule === ALONE) visit(this.#get(text, at, at + 1, kind, hashed(seed, code)), at);
      start = at + 1;
      hash = seed;
    }
    if (text.length > start) visit(this.#get(text, start, text.length, kind, hash), start);
  }

  /** What is made of one piece of a text. */
  of(text: string, start: number, end: number, kind: number): T {
    let hash = seedOf(kind);
    for (let at = start; at < end; at++) hash = hashed(hash, text.charCodeAt(at));
    return this.#get(text, start, end, kind, hash);
  }

  #get(text: string, start: number, end: number, kind: number, hash: number): T {
    if (end - start > LONGEST) return this.#make(text.slice(start, end), kind);
    let slot = firstSlot(hash);
    for (let met = 0; met < MOST_MEETING; met++, slot = (slot + 1) % SLOTS) {
      const number = this.#slots[slot] as number;
      if (number === 0) return this.#added(flatString(text.slice(start, end)), kind, hash, slot);
      if (this.#hashes[number] === hash && this.#kinds[number] === kind && this.#isAt(number, text, start, end))
        return this.#made[number] as T;
    }
    return this.#make(text.slice(start, end), kind);
  }

  get #isFull(): boolean {
    const last = this.#made.length - 1;
    return last === MOST || (this.#ends[last] as number) > MOST_CHARACTERS - LONGEST;
  }

  #isAt(number: number, text: string, start: number, end: number): boolean {
    let from = this.#ends[number - 1] as number;
    if ((this.#ends[number] as number) - from !== end - start) return false;
    for (let at = start; at < end; at++) if (this.#characters[from++] !== text.charCodeAt(at)) return false;
    return true;
  }

  #added(piece: string, kind: number, hash: number, slot: number): T {
    const made = this.#make(piece, kind);
    if (this.#isFull) {
      this.#slots.fill(0);
      this.#made = [undefined];
      return made;
    }
    const number = this.#made.length;
    let end = this.#ends[number - 1] as number;
    for (let at = 0; at < piece.length; at++) this.#characters[end++] = piece.charCodeAt(at);
    this.#ends[number] = end;
    this.#hashes[number] = hash;
    this.#kinds[number] = kind;
    this.#slots[slot] = number;
    this.#made.push(made);
    return made;
  }
}

/** 32-bit FNV-1a. */
const seedOf = (kind: number): number => hashed(FNV_OFFSET, kind);
const firstSlot = (hash: number): number => (hash ^ (hash >>> 15)) & (SLOTS - 1);
const hashed = (hash: number, code: number): number => imul(hash ^ code, FNV_PRIME);
