import { fnv1aOfText } from '../../../core/fnv1a.ts';
import type { Sections } from './segment-format.ts';

const BITS_PER_TERM = 8;

/** The section `termBits`. */
export function termBitsOf(terms: readonly string[]): Uint32Array<ArrayBuffer> {
  const bits = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(32, BITS_PER_TERM * terms.length))) / 32);
  for (const term of terms) {
    const bit = bitOf(term, bits);
    bits[bit >>> 5] = (bits[bit >>> 5] as number) | (1 << (bit & 31));
  }
  return bits;
}

const bitOf = (term: string, bits: Uint32Array): number => fnv1aOfText(term) & (32 * bits.length - 1);

/** The terms of a segment, in ascending order. */
export class Lexicon {
  readonly #starts: Uint32Array;
  readonly #bytes: Buffer;
  readonly #bits: Uint32Array;

  constructor({ termStarts, termBytes, termBits }: Sections) {
    this.#starts = termStarts;
    this.#bytes = Buffer.from(termBytes.buffer, termBytes.byteOffset, termBytes.byteLength);
    this.#bits = termBits;
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  idOf(term: string): number | undefined {
    if (!this.#mayHave(term)) return undefined;
    const id = this.lowerBound(term);
    return id < this.size && this.termOf(id) === term ? id : undefined;
  }

  termOf(id: number): string {
    return this.#bytes.toString('utf8', this.#starts[id], this.#starts[id + 1]);
  }

  /** The first term that is not before the text, or `size`. */
  lowerBound(text: string): number {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.termOf(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #mayHave(term: string): boolean {
    const bit = bitOf(term, this.#bits);
    return ((this.#bits[bit >>> 5] as number) & (1 << (bit & 31))) !== 0;
  }
}
