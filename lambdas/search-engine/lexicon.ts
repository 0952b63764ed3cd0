import { fnv1aOfText } from '../core/fnv1a.ts';
import type { Sections } from './segment-format.ts';

const ASCII = 128;

/** The section `termSlots`. */
export function termSlotsOf(terms: readonly string[]): Uint32Array<ArrayBuffer> {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(1, 2 * terms.length))));
  for (const [id, term] of terms.entries()) {
    let slot = fnv1aOfText(term) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = id + 1;
  }
  return slots;
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

  /** The first term that is not before the text, or `size`. */
  lowerBound(text: string): number {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, text) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Below 0 if the term is before the text. ASCII is compared in place: most terms are, and decoding is expensive. */
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
