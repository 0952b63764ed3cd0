import { MAX_TERM_FREQUENCY } from '../core/ports/page-index.ts';
import { GrowableArray, uint8s, uint32s } from './growable-array.ts';
import { VarintReader } from './varints.ts';

export class PostingList {
  readonly chunks = new GrowableArray(uint32s);
  readonly frequencies = new GrowableArray(uint8s);

  get length(): number {
    return this.chunks.length;
  }

  /** Appends packed postings (segment-format.ts). */
  unpack(packed: Uint8Array): void {
    this.chunks.reserve(packed.length);
    this.frequencies.reserve(packed.length);
    const [chunks, frequencies] = [this.chunks.numbers, this.frequencies.numbers];
    const reader = new VarintReader(packed);
    let [length, chunk] = [this.length, 0];
    while (reader.offset < packed.length) {
      const gap = reader.next();
      chunk += gap >>> 1;
      chunks[length] = chunk;
      frequencies[length++] = (gap & 1) === 1 ? reader.next() : 1;
    }
    this.chunks.length = length;
    this.frequencies.length = length;
  }

  push(chunk: number, frequency: number): void {
    this.chunks.push(chunk);
    this.frequencies.push(frequency);
  }

  append({ chunks, frequencies, length }: PostingList): void {
    this.chunks.append(chunks.numbers.subarray(0, length));
    this.frequencies.append(frequencies.numbers.subarray(0, length));
  }

  filter(keep: (chunk: number) => boolean): PostingList {
    const kept = new PostingList();
    for (let i = 0; i < this.length; i++) {
      const chunk = this.chunks.numbers[i] as number;
      if (keep(chunk)) kept.push(chunk, this.frequencies.numbers[i] as number);
    }
    return kept;
  }

  /** Each chunk once, in ascending order, with the sum of its frequencies. All chunks must be below `end`. */
  merged(end: number): PostingList {
    const sums = new Uint8Array(end);
    const merged = new PostingList();
    for (let i = 0; i < this.length; i++) {
      const chunk = this.chunks.numbers[i] as number;
      if (sums[chunk] === 0) merged.push(chunk, 0);
      sums[chunk] = Math.min(MAX_TERM_FREQUENCY, (sums[chunk] as number) + (this.frequencies.numbers[i] as number));
    }
    merged.chunks.numbers.subarray(0, merged.length).sort();
    for (let i = 0; i < merged.length; i++) {
      merged.frequencies.numbers[i] = sums[merged.chunks.numbers[i] as number] as number;
    }
    return merged;
  }
}
