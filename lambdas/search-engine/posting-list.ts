import { MAX_TERM_FREQUENCY } from '../core/ports/page-index.ts';
import type { VarintReader } from './varints.ts';

const ROOM = 1024;

/** Chunks in ascending order, each with a term's frequency in it. Only the first `length` entries are defined. */
export class PostingList {
  chunks = new Uint32Array(ROOM);
  frequencies = new Uint8Array(ROOM);
  length = 0;

  /** Reads packed postings (segment-format.ts) in place of those that the list has. */
  read(reader: VarintReader): void {
    this.length = reader.next();
    this.#makeRoom();
    const { chunks, frequencies, length } = this;
    let chunk = 0;
    for (let i = 0; i < length; i++) {
      const gap = reader.next();
      chunk += gap >>> 1;
      chunks[i] = chunk;
      frequencies[i] = (gap & 1) === 1 ? reader.next() : 1;
    }
  }

  /** Takes each chunk of other postings once, with the sum of its frequencies. All chunks must be below `end`. */
  merge(readers: readonly VarintReader[], end: number): void {
    const sums = new Uint8Array(end);
    for (const reader of readers) {
      this.read(reader);
      for (let i = 0; i < this.length; i++) {
        const chunk = this.chunks[i] as number;
        sums[chunk] = Math.min(MAX_TERM_FREQUENCY, (sums[chunk] as number) + (this.frequencies[i] as number));
      }
    }
    this.length = sums.reduce((count, sum) => (sum > 0 ? count + 1 : count), 0);
    this.#makeRoom();
    let i = 0;
    for (let chunk = 0; chunk < end; chunk++) {
      if (sums[chunk] === 0) continue;
      this.chunks[i] = chunk;
      this.frequencies[i++] = sums[chunk] as number;
    }
  }

  keep(isKept: (chunk: number) => boolean): void {
    let kept = 0;
    for (let i = 0; i < this.length; i++) {
      const chunk = this.chunks[i] as number;
      if (!isKept(chunk)) continue;
      this.chunks[kept] = chunk;
      this.frequencies[kept++] = this.frequencies[i] as number;
    }
    this.length = kept;
  }

  #makeRoom(): void {
    if (this.length <= this.chunks.length) return;
    this.chunks = new Uint32Array(2 * this.length);
    this.frequencies = new Uint8Array(2 * this.length);
  }
}
