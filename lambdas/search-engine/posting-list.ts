import { MAX_TERM_FREQUENCY } from '../core/ports/page-index.ts';
import type { VarintReader } from './varints.ts';

/** Chunks in ascending order, each with a term's frequency in it. */
export class PostingList {
  readonly chunks: Uint32Array;
  readonly frequencies: Uint8Array;
  length = 0;

  /** `room`: how many chunks it can have at most. */
  constructor(room: number) {
    this.chunks = new Uint32Array(room);
    this.frequencies = new Uint8Array(room);
  }

  /** Reads packed postings (segment-format.ts). */
  static read(reader: VarintReader): PostingList {
    const list = new PostingList(reader.next());
    const { chunks, frequencies } = list;
    let chunk = 0;
    for (let i = 0; i < chunks.length; i++) {
      const gap = reader.next();
      chunk += gap >>> 1;
      chunks[i] = chunk;
      frequencies[i] = (gap & 1) === 1 ? reader.next() : 1;
    }
    list.length = chunks.length;
    return list;
  }

  /** Each chunk of the lists once, with the sum of its frequencies. All chunks must be below `end`. */
  static merged(lists: readonly PostingList[], end: number): PostingList {
    const sums = new Uint8Array(end);
    const merged = new PostingList(lists.reduce((sum, { length }) => sum + length, 0));
    for (const { chunks, frequencies, length } of lists) {
      for (let i = 0; i < length; i++) {
        const chunk = chunks[i] as number;
        if (sums[chunk] === 0) merged.push(chunk, 0);
        sums[chunk] = Math.min(MAX_TERM_FREQUENCY, (sums[chunk] as number) + (frequencies[i] as number));
      }
    }
    merged.chunks.subarray(0, merged.length).sort();
    for (let i = 0; i < merged.length; i++) merged.frequencies[i] = sums[merged.chunks[i] as number] as number;
    return merged;
  }

  push(chunk: number, frequency: number): void {
    this.chunks[this.length] = chunk;
    this.frequencies[this.length++] = frequency;
  }

  filter(keep: (chunk: number) => boolean): PostingList {
    const kept = new PostingList(this.length);
    for (let i = 0; i < this.length; i++) {
      const chunk = this.chunks[i] as number;
      if (keep(chunk)) kept.push(chunk, this.frequencies[i] as number);
    }
    return kept;
  }
}
