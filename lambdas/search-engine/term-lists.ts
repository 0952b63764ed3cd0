/** For each term, its chunks or pages, each with a number such as the frequency. */
export class TermLists {
  readonly #terms: Uint32Array;
  readonly #things: Uint32Array;
  readonly #values: Uint8Array;
  #length = 0;

  /** `most` is the greatest number of things of all terms. */
  constructor(most: number) {
    this.#terms = new Uint32Array(most);
    this.#things = new Uint32Array(most);
    this.#values = new Uint8Array(most);
  }

  push(term: number, thing: number, value: number): void {
    this.#terms[this.#length] = term;
    this.#things[this.#length] = thing;
    this.#values[this.#length++] = value;
  }

  /** In the order of the terms, and of adding. */
  sorted(termCount: number) {
    const [terms, length] = [this.#terms, this.#length];
    const starts = new Uint32Array(termCount + 1);
    for (let i = 0; i < length; i++) increment(starts, (terms[i] as number) + 1);
    for (let term = 0; term < termCount; term++)
      starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
    const next = starts.slice();
    const sorted = { starts, things: new Uint32Array(length), values: new Uint8Array(length) };
    for (let i = 0; i < length; i++) {
      const at = increment(next, terms[i] as number);
      sorted.things[at] = this.#things[i] as number;
      sorted.values[at] = this.#values[i] as number;
    }
    return sorted;
  }
}

/** Returns the number before. */
export function increment(numbers: Uint32Array, index: number): number {
  const before = numbers[index] as number;
  numbers[index] = before + 1;
  return before;
}
