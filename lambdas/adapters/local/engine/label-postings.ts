import { binarySearch, GrowableArray, uint32s } from './growable-array.ts';

/** The labelled terms of a range of chunks. Those of `terms[i]` are the entries from `starts[i]` to `starts[i + 1]`. */
export class LabelPostings {
  /** In ascending order. */
  readonly #terms: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #chunks: Uint32Array;
  readonly #lengths: Uint8Array;

  /** `termCount` must be greater than each of the term ids. */
  constructor({ terms, chunks, lengths }: LabelList, termCount: number) {
    const ends = new Uint32Array(termCount + 1);
    for (let i = 0; i < terms.length; i++) increment(ends, (terms.numbers[i] as number) + 1);
    const [distinct, starts] = [new GrowableArray(uint32s), new GrowableArray(uint32s)];
    for (let term = 0; term < termCount; term++) {
      const [start, count] = [ends[term] as number, ends[term + 1] as number];
      if (count > 0) {
        distinct.push(term);
        starts.push(start);
      }
      ends[term + 1] = start + count;
    }
    starts.push(terms.length);
    this.#chunks = new Uint32Array(terms.length);
    this.#lengths = new Uint8Array(terms.length);
    for (let i = 0; i < terms.length; i++) {
      const at = increment(ends, terms.numbers[i] as number);
      this.#chunks[at] = chunks.numbers[i] as number;
      this.#lengths[at] = lengths.numbers[i] as number;
    }
    this.#terms = distinct.numbers.slice(0, distinct.length);
    this.#starts = starts.numbers.slice(0, starts.length);
  }

  get bytes(): number {
    return [this.#terms, this.#starts, this.#chunks, this.#lengths].reduce((sum, list) => sum + list.byteLength, 0);
  }

  /** Visits the chunks in which the term is labelled, each with the length of its shortest label. */
  forEach(term: number, visit: (chunk: number, length: number) => void): void {
    const index = binarySearch(this.#terms, this.#terms.length, term);
    if (index === undefined) return;
    const end = this.#starts[index + 1] as number;
    for (let i = this.#starts[index] as number; i < end; i++)
      visit(this.#chunks[i] as number, this.#lengths[i] as number);
  }
}

/** Labelled terms in the order of their chunks. */
export class LabelList {
  readonly terms = new GrowableArray(uint32s);
  readonly chunks = new GrowableArray(uint32s);
  readonly lengths = new GrowableArray(uint32s);

  push(term: number, chunk: number, length: number): void {
    this.terms.push(term);
    this.chunks.push(chunk);
    this.lengths.push(length);
  }
}

/** Returns the number before. */
function increment(numbers: Uint32Array, index: number): number {
  const before = numbers[index] as number;
  numbers[index] = before + 1;
  return before;
}
