import { detached } from './detached.ts';

const SPACE = 32;
const TAB = 9;
const RETURN = 13;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Longer pieces rarely come again. */
const LONGEST = 32;
const PLACES = 2 ** 17;
/** A piece may stand at so many places; who comes when all of them are taken takes one of them over. */
const WAYS = 4;

/**
 * What is made of the pieces of texts, the runs of characters between ASCII white space: the same ones come again and again. Which
 * of them are remembered, at most 131,072 of 32 characters, changes no answer.
 */
export class KnownPieces<T> {
  readonly #make: (piece: string, kind: number) => T;
  readonly #hashes = new Int32Array(PLACES);
  readonly #kinds = new Uint8Array(PLACES);
  readonly #pieces = new Array<string>(PLACES).fill('');
  readonly #made = new Array<T | undefined>(PLACES).fill(undefined);
  #turn = 0;

  /** What is made depends on the piece and on a kind alone, a number from 0 to 255. */
  constructor(make: (piece: string, kind: number) => T) {
    this.#make = make;
  }

  /** Gives what is made of each piece of a text, with the offset of its start, in order. */
  eachIn(text: string, kind: number, visit: (made: T, start: number) => void): void {
    let start = 0;
    const seed = seedOf(kind);
    let hash = seed;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > SPACE || (code !== SPACE && (code < TAB || code > RETURN))) {
        hash = hashed(hash, code);
        continue;
      }
      if (at > start) visit(this.#get(text, start, at, kind, hash), start);
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
    const first = (hash ^ (hash >>> 15)) & (PLACES - WAYS);
    for (let place = first; place < first + WAYS; place++) {
      if (this.#hashes[place] === hash && this.#kinds[place] === kind && this.#isAt(place, text, start, end))
        return this.#made[place] as T;
    }
    const piece = detached(text.slice(start, end));
    const made = this.#make(piece, kind);
    const place = this.#placeFrom(first);
    this.#hashes[place] = hash;
    this.#kinds[place] = kind;
    this.#pieces[place] = piece;
    this.#made[place] = made;
    return made;
  }

  #isAt(place: number, text: string, start: number, end: number): boolean {
    const piece = this.#pieces[place] as string;
    if (piece.length !== end - start) return false;
    for (let i = 0; i < piece.length; i++) if (piece.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
    return true;
  }

  #placeFrom(first: number): number {
    for (let place = first; place < first + WAYS; place++) if (this.#pieces[place] === '') return place;
    this.#turn = (this.#turn + 1) % WAYS;
    return first + this.#turn;
  }
}

/** 32-bit FNV-1a. */
const seedOf = (kind: number): number => hashed(FNV_OFFSET, kind);
const hashed = (hash: number, code: number): number => Math.imul(hash ^ code, FNV_PRIME);
