/* Whole numbers below 2^32 as bytes: seven bits each, the low ones first; all but the last have the high bit set. */

const MORE = 0x80;

export class VarintWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#bytes.length;
  }

  write(number: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow(5);
    let rest = number;
    for (; rest >= MORE; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | MORE;
    this.#bytes[this.#length++] = rest;
  }

  append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** A copy of what was written. */
  copy(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** What was written, not copied: good until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(by: number): void {
    const larger = new Uint8Array(Math.max(this.#length + by, Math.ceil(this.#bytes.length * 1.5)));
    larger.set(this.view());
    this.#bytes = larger;
  }
}

export class VarintReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  next(): number {
    let byte = this.#bytes[this.at++] as number;
    if (byte < MORE) return byte;
    let number = byte & 0x7f;
    for (let shift = 7; byte >= MORE; shift += 7) {
      byte = this.#bytes[this.at++] as number;
      number |= (byte & 0x7f) << shift;
    }
    return number >>> 0;
  }
}
