type Numbers = Uint8Array | Uint32Array | Int16Array | Float32Array;

const GROWTH = 1.5;
const FIRST = 256;

/** A list of numbers in a typed array that grows. */
export class Column<T extends Numbers> {
  readonly #make: (length: number) => T;
  /** Longer than the list: what lies beyond `length` means nothing. Another one after `push`. */
  numbers: T;
  length = 0;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.numbers = make(FIRST);
  }

  push(number: number): void {
    if (this.length === this.numbers.length) {
      this.#grow(Math.ceil(this.length * GROWTH));
    }
    this.numbers[this.length++] = number;
  }

  append(numbers: T): void {
    this.reserve(numbers.length);
    this.numbers.set(numbers, this.length);
    this.length += numbers.length;
  }

  /** Makes room for so many more. */
  reserve(more: number): void {
    const wanted = this.length + more;
    if (wanted > this.numbers.length) this.#grow(Math.max(wanted, Math.ceil(this.length * GROWTH)));
  }

  #grow(length: number): void {
    const larger = this.#make(length);
    larger.set(this.numbers);
    this.numbers = larger;
  }

  /** Where the first number is that is not below another, if the list rises; its length if there is none. */
  firstFrom(limit: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.numbers[middle] as number) < limit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Where a number is, if the list rises. */
  placeOf(sought: number): number | undefined {
    return placeIn(this.numbers, this.length, sought);
  }

  get bytes(): number {
    return this.numbers.byteLength;
  }
}

/** Where a number is among the first ones, which rise. */
export function placeIn(numbers: Numbers, length: number, sought: number): number | undefined {
  let low = 0;
  let high = length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = numbers[middle] as number;
    if (found === sought) return middle;
    if (found < sought) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

export const uint8s = (length: number): Uint8Array => new Uint8Array(length);
export const uint32s = (length: number): Uint32Array => new Uint32Array(length);
export const int16s = (length: number): Int16Array => new Int16Array(length);
export const float32s = (length: number): Float32Array => new Float32Array(length);
