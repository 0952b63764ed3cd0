/** The one source of chance of a simulated run: the same seed answers the same. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) >>> 0;
  }

  /** At least 0, below 1 (the mulberry32 generator). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Both ends included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.int(0, choices.length - 1)] ?? choices[0];
  }

  /** So many draws, each from the same choice. */
  times<T>(count: number, draw: (place: number) => T): readonly T[] {
    return Array.from({ length: count }, (_, place) => draw(place));
  }
}
