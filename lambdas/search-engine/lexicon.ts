import { fnv1aOfText } from '../text/words/fnv1a.ts';
import type { Sections } from './segment-format.ts';

const ASCII = 128;
/** V8 copies slices up to this length. A longer slice keeps the whole text in memory and is slower to read. */
const MAX_COPY_LENGTH = 12;

/** The sections of terms in ascending order. */
export function packedTerms(terms: readonly string[]) {
  const termBytes = new Uint8Array(Buffer.from(terms.join('')));
  const termStarts = new Uint32Array(terms.length + 1);
  for (let i = 0; i < terms.length; i++) termStarts[i + 1] = (termStarts[i] as number) + utf8Length(terms[i] as string);
  return { termStarts, termBytes, termSlots: slotsOf(terms) };
}

/** Returns the same as `Buffer.byteLength`, whose call overhead is too high for each term. */
function utf8Length(term: string): number {
  let length = term.length;
  for (let i = 0; i < term.length; i++) {
    const code = term.charCodeAt(i);
    if (code < 0x80) continue;
    const isHalf = code >= 0xd800 && code < 0xe000;
    if (isHalf && !term.isWellFormed()) return Buffer.byteLength(term);
    length += code < 0x800 || isHalf ? 1 : 2;
  }
  return length;
}

function slotsOf(terms: readonly string[]): Uint32Array<ArrayBuffer> {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(1, 2 * terms.length))));
  const last = slots.length - 1;
  for (let id = 0; id < terms.length; id++) {
    let slot = fnv1aOfText(terms[id] as string) & last;
    while (slots[slot] !== 0) slot = (slot + 1) & last;
    slots[slot] = id + 1;
  }
  return slots;
}

/** Numbers terms in the order in which they are first seen. */
export class TermNumbers {
  readonly #numbers = new Map<string, number>();

  numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(term, number);
    return number;
  }

  /** Returns the terms in ascending order, and for each number the index of its term in that order. */
  sorted(): { readonly terms: readonly string[]; readonly ids: Uint32Array } {
    const terms = [...this.#numbers.keys()].sort();
    const ids = new Uint32Array(terms.length);
    for (let id = 0; id < terms.length; id++) ids[this.#numbers.get(terms[id] as string) as number] = id;
    return { terms, ids };
  }
}

/** The terms of a segment, in ascending order. */
export class Lexicon {
  readonly #starts: Uint32Array;
  readonly #bytes: Buffer;
  readonly #slots: Uint32Array;

  constructor({ termStarts, termBytes, termSlots }: Sections) {
    this.#starts = termStarts;
    this.#bytes = Buffer.from(termBytes.buffer, termBytes.byteOffset, termBytes.byteLength);
    this.#slots = termSlots;
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  idOf(term: string): number | undefined {
    const last = this.#slots.length - 1;
    let slot = fnv1aOfText(term) & last;
    for (let id = this.#slots[slot] as number; id > 0; id = this.#slots[slot] as number) {
      if (this.#compare(id - 1, term) === 0) return id - 1;
      slot = (slot + 1) & last;
    }
    return undefined;
  }

  termOf(id: number): string {
    return this.#bytes.toString('utf8', this.#starts[id], this.#starts[id + 1]);
  }

  /** Returns all terms. Short ASCII terms are sliced from one decoded string, which is faster than decoding each. */
  terms(): readonly string[] {
    const [bytes, starts] = [this.#bytes, this.#starts];
    const all = bytes.toString('latin1');
    const terms: string[] = [];
    for (let id = 0; id < this.size; id++) {
      const [start, end] = [starts[id] as number, starts[id + 1] as number];
      let isShort = end - start <= MAX_COPY_LENGTH;
      for (let i = start; isShort && i < end; i++) isShort = (bytes[i] as number) < ASCII;
      terms.push(isShort ? all.slice(start, end) : this.termOf(id));
    }
    return terms;
  }

  /** Returns the first term that is not less than the text, or `size`. */
  lowerBound(text: string): number {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, text) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns a negative number if the term is less than the text. Compares ASCII without decoding it. */
  #compare(id: number, text: string): number {
    const [start, end] = [this.#starts[id] as number, this.#starts[id + 1] as number];
    for (let i = 0; i < text.length && start + i < end; i++) {
      const [byte, code] = [this.#bytes[start + i] as number, text.charCodeAt(i)];
      if (byte >= ASCII && code >= ASCII) return compared(this.termOf(id), text);
      if (byte !== code) return byte - code;
    }
    return end - start - text.length;
  }
}

function compared(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
