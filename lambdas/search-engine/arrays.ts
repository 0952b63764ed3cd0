export type Numbers = Uint8Array | Int8Array | Uint32Array | Int16Array | Float32Array;

const GROWTH = 1.5;
const INITIAL_CAPACITY = 16;

export class GrowableArray<T extends Numbers> {
  readonly #make: (length: number) => T;
  /** Only the first `length` numbers are defined. Adding numbers may replace the array. */
  numbers: T;
  length = 0;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.numbers = make(INITIAL_CAPACITY);
  }

  push(number: number): void {
    if (this.length === this.numbers.length) {
      this.#grow(Math.ceil(this.length * GROWTH));
    }
    this.numbers[this.length++] = number;
  }

  append(numbers: ArrayLike<number>): void {
    this.reserve(numbers.length);
    this.numbers.set(numbers, this.length);
    this.length += numbers.length;
  }

  reserve(more: number): void {
    const wanted = this.length + more;
    if (wanted > this.numbers.length) this.#grow(Math.max(wanted, Math.ceil(this.length * GROWTH)));
  }

  #grow(length: number): void {
    const larger = this.#make(length);
    larger.set(this.numbers);
    this.numbers = larger;
  }

  /** Returns a view of the numbers so far, valid until the next one is added. */
  view(): T {
    return this.numbers.subarray(0, this.length) as T;
  }
}

/** Returns the index of a number among the first `length` ones, which must be in ascending order. */
export function binarySearch(numbers: Numbers, length: number, number: number): number | undefined {
  let low = 0;
  let high = length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = numbers[middle] as number;
    if (found === number) return middle;
    if (found < number) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

export const uint8s = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length);
export const int8s = (length: number): Int8Array<ArrayBuffer> => new Int8Array(length);
export const uint32s = (length: number): Uint32Array<ArrayBuffer> => new Uint32Array(length);
export const int16s = (length: number): Int16Array<ArrayBuffer> => new Int16Array(length);
export const float32s = (length: number): Float32Array<ArrayBuffer> => new Float32Array(length);

/** Adds 1 at the index. Returns the number before. */
export function increment(numbers: Uint32Array, index: number): number {
  const before = numbers[index] as number;
  numbers[index] = before + 1;
  return before;
}

/** Number of filter slots; must be a power of two. */
const SLOTS = 1024;

/** A map of few ids with a one-byte filter before it, which rejects most missing ids faster than a `Map`. */
export class IdMap<T> {
  readonly #values = new Map<number, T>();
  /** Indexed by an id's low bits: 1 if the id may have a value. */
  readonly #mayHave = new Uint8Array(SLOTS);

  set(id: number, value: T): void {
    this.#values.set(id, value);
    this.#mayHave[id & (SLOTS - 1)] = 1;
  }

  get(id: number): T | undefined {
    return this.#mayHave[id & (SLOTS - 1)] === 1 ? this.#values.get(id) : undefined;
  }
}
