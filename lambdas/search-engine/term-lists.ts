import { GrowableArray, uint8s, uint32s } from './growable-array.ts';

/** For each term, its chunks or pages, each with a number such as the frequency. */
export class TermLists {
  readonly #terms = new GrowableArray(uint32s);
  readonly #things = new GrowableArray(uint32s);
  readonly #values = new GrowableArray(uint8s);

  push(term: number, thing: number, value: number): void {
    this.#terms.push(term);
    this.#things.push(thing);
    this.#values.push(value);
  }

  /** In the order of the terms, and of adding. */
  sorted(termCount: number) {
    const [terms, things, values] = [this.#terms.numbers, this.#things.numbers, this.#values.numbers];
    const { length } = this.#terms;
    const starts = new Uint32Array(termCount + 1);
    for (let i = 0; i < length; i++) increment(starts, (terms[i] as number) + 1);
    for (let term = 0; term < termCount; term++)
      starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
    const next = starts.slice();
    const sorted = { starts, things: new Uint32Array(length), values: new Uint8Array(length) };
    for (let i = 0; i < length; i++) {
      const at = increment(next, terms[i] as number);
      sorted.things[at] = things[i] as number;
      sorted.values[at] = values[i] as number;
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
