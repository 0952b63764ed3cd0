import { MAX_TERM_FREQUENCY } from '../domain/ports/index-reader.ts';
import { GrowableArray, increment, uint8s, uint32s } from './arrays.ts';
import { DELETED } from './id-remapping.ts';
import type { VarintReader, VarintWriter } from './varints.ts';

const ROOM = 1024;

/** Chunks in ascending order, each with a term's frequency in it. Only the first `length` entries are defined. */
export class PostingList {
  chunks = new Uint32Array(ROOM);
  frequencies = new Uint8Array(ROOM);
  length = 0;

  /** Replaces the list with packed postings (segment-format.ts). */
  read(reader: VarintReader): void {
    this.length = reader.next();
    this.#makeRoom(this.length);
    const { chunks, frequencies, length } = this;
    let chunk = 0;
    for (let i = 0; i < length; i++) {
      const gap = reader.next();
      chunk += gap >>> 1;
      chunks[i] = chunk;
      frequencies[i] = (gap & 1) === 1 ? reader.next() : 1;
    }
  }

  /**
   * Appends packed postings. `numbers` maps a chunk to its number in this list, above all present ones, or to
   * `DELETED`.
   */
  add(reader: VarintReader, numbers: Uint32Array): void {
    const count = reader.next();
    this.#makeRoom(this.length + count);
    let chunk = 0;
    for (let i = 0; i < count; i++) {
      const gap = reader.next();
      chunk += gap >>> 1;
      const frequency = (gap & 1) === 1 ? reader.next() : 1;
      const number = numbers[chunk] as number;
      if (number === DELETED) continue;
      this.chunks[this.length] = number;
      this.frequencies[this.length++] = frequency;
    }
  }

  /**
   * Replaces the list with the union of other postings, summing each chunk's frequencies. All chunks must be below
   * `end`.
   */
  merge(readers: readonly VarintReader[], end: number): void {
    const sums = new Uint8Array(end);
    let count = 0;
    for (const reader of readers) {
      this.read(reader);
      for (let i = 0; i < this.length; i++) {
        const chunk = this.chunks[i] as number;
        if (sums[chunk] === 0) count++;
        sums[chunk] = Math.min(MAX_TERM_FREQUENCY, (sums[chunk] as number) + (this.frequencies[i] as number));
      }
    }
    this.length = count;
    this.#makeRoom(count);
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

  write(writer: VarintWriter): void {
    writePostings(writer, this.chunks, this.frequencies, 0, this.length);
  }

  #makeRoom(length: number): void {
    if (length <= this.chunks.length) return;
    const { chunks, frequencies } = this;
    this.chunks = new Uint32Array(2 * length);
    this.chunks.set(chunks);
    this.frequencies = new Uint8Array(2 * length);
    this.frequencies.set(frequencies);
  }
}

/** Packs a term's postings (segment-format.ts): the entries from `start` up to, and without, `end`. */
export function writePostings(
  writer: VarintWriter,
  chunks: Uint32Array,
  frequencies: Uint8Array,
  start: number,
  end: number,
): void {
  let previous = 0;
  writer.write(end - start);
  for (let i = start; i < end; i++) {
    const [chunk, frequency] = [chunks[i] as number, frequencies[i] as number];
    writer.write(((chunk - previous) << 1) | (frequency > 1 ? 1 : 0));
    if (frequency > 1) writer.write(frequency);
    previous = chunk;
  }
}

/** For each term, its owners (chunks or pages), each with a number such as the frequency. */
export class TermLists {
  readonly #terms = new GrowableArray(uint32s);
  readonly #owners = new GrowableArray(uint32s);
  readonly #values = new GrowableArray(uint8s);

  push(term: number, owner: number, value: number): void {
    this.#terms.push(term);
    this.#owners.push(owner);
    this.#values.push(value);
  }

  /** Returns the lists in the order of the terms, each in the order of adding. */
  sorted(termCount: number) {
    const [terms, owners, values] = [this.#terms.numbers, this.#owners.numbers, this.#values.numbers];
    const { length } = this.#terms;
    const starts = new Uint32Array(termCount + 1);
    for (let i = 0; i < length; i++) increment(starts, (terms[i] as number) + 1);
    for (let term = 0; term < termCount; term++)
      starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
    const next = starts.slice();
    const sorted = { starts, owners: new Uint32Array(length), values: new Uint8Array(length) };
    for (let i = 0; i < length; i++) {
      const at = increment(next, terms[i] as number);
      sorted.owners[at] = owners[i] as number;
      sorted.values[at] = values[i] as number;
    }
    return sorted;
  }
}
