/* Integers below 2^32 as bytes of seven bits, the low bits first. Every byte but the last has its high bit set. */

const MORE = 0x80;
const MAX_BYTES = 5;
const INITIAL_BYTES = 4096;
const GROWTH = 1.5;

export class VarintWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** `room`: the expected number of bytes. Unused room takes no physical memory. */
  constructor(room = INITIAL_BYTES) {
    this.#bytes = new Uint8Array(Math.max(INITIAL_BYTES, Math.ceil(room)));
  }

  get length(): number {
    return this.#length;
  }

  write(number: number): void {
    if (this.#length + MAX_BYTES > this.#bytes.length) {
      const larger = new Uint8Array(Math.ceil(this.#bytes.length * GROWTH));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    let rest = number;
    for (; rest >= MORE; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | MORE;
    this.#bytes[this.#length++] = rest;
  }

  /** Writes the count of ascending numbers, and for each number its difference to the previous one. */
  writeAscending(numbers: Uint32Array): void {
    this.write(numbers.length);
    let previous = 0;
    for (const number of numbers) {
      this.write(number - previous);
      previous = number;
    }
  }

  /** Returns a view of the bytes written so far, valid until the next number. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }
}

export class VarintReader {
  readonly #bytes: Uint8Array;
  offset: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.#bytes = bytes;
    this.offset = offset;
  }

  next(): number {
    let byte = this.#bytes[this.offset++] as number;
    if (byte < MORE) return byte;
    let number = byte & 0x7f;
    for (let shift = 7; byte >= MORE; shift += 7) {
      byte = this.#bytes[this.offset++] as number;
      number |= (byte & 0x7f) << shift;
    }
    return number >>> 0;
  }

  /** Reads numbers that `writeAscending` wrote. */
  nextAscending(): Uint32Array {
    const numbers = new Uint32Array(this.next());
    let previous = 0;
    for (let i = 0; i < numbers.length; i++) {
      previous += this.next();
      numbers[i] = previous;
    }
    return numbers;
  }
}
