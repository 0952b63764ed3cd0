import { MAX_TERM_FREQUENCY } from '../../../core/ports/page-index.ts';
import type { ForwardIndex } from './forward-index.ts';
import { GrowableArray, uint32s } from './growable-array.ts';
import { LabelList, LabelPostings } from './label-postings.ts';
import { VarintReader } from './varints.ts';

/**
 * The postings of the chunks `from` to `to` (exclusive). A term's postings are varints. For each chunk with the term:
 * the difference to the previous chunk (to `from`, for the first) * 2, plus 1 if a frequency follows; the frequency, if
 * it is above 1.
 */
export type Segment = {
  readonly from: number;
  readonly to: number;
  /** In ascending order. The postings of `terms[i]` are the bytes from `starts[i]` to `starts[i + 1]`. */
  readonly terms: Uint32Array;
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
  readonly labels: LabelPostings;
};

/** Inverts the chunks `from` to `to` (exclusive). `termCount` must be greater than each of their term ids. */
export function buildSegment(pages: ForwardIndex, from: number, to: number, termCount: number): Segment {
  const chunkTerms = new ChunkTerms(pages, termCount);
  const previous = new Uint32Array(termCount).fill(from);
  const sizes = new Uint32Array(termCount);
  const labels = new LabelList();
  for (let chunk = from; chunk < to; chunk++) {
    const terms = chunkTerms.read(chunk);
    for (let i = 0; i < terms.length; i++) {
      const term = terms.numbers[i] as number;
      const frequency = chunkTerms.frequencies[term] as number;
      const gap = chunk - (previous[term] as number);
      sizes[term] = (sizes[term] as number) + varintSize(gap << 1) + (frequency > 1 ? varintSize(frequency) : 0);
      previous[term] = chunk;
    }
    chunkTerms.forEachLabel((term, length) => labels.push(term, chunk, length));
  }
  const { terms, starts, size } = layOut(sizes);
  const offsets = sizes;
  const bytes = new Uint8Array(size);
  previous.fill(from);
  for (let chunk = from; chunk < to; chunk++) {
    const found = chunkTerms.read(chunk);
    for (let i = 0; i < found.length; i++) {
      const term = found.numbers[i] as number;
      const frequency = chunkTerms.frequencies[term] as number;
      const gap = chunk - (previous[term] as number);
      let offset = putVarint(bytes, offsets[term] as number, (gap << 1) | (frequency > 1 ? 1 : 0));
      if (frequency > 1) offset = putVarint(bytes, offset, frequency);
      offsets[term] = offset;
      previous[term] = chunk;
    }
  }
  return { from, to, terms, starts, bytes, labels: new LabelPostings(labels, termCount) };
}

/** Replaces each term's size by the offset at which its postings begin. */
function layOut(sizes: Uint32Array) {
  const terms = new GrowableArray(uint32s);
  const starts = new GrowableArray(uint32s);
  let offset = 0;
  for (let term = 0; term < sizes.length; term++) {
    const size = sizes[term] as number;
    sizes[term] = offset;
    if (size === 0) continue;
    terms.push(term);
    starts.push(offset);
    offset += size;
  }
  starts.push(offset);
  return { terms: terms.numbers.slice(0, terms.length), starts: starts.numbers.slice(0, starts.length), size: offset };
}

class ChunkTerms {
  readonly #pages: ForwardIndex;
  readonly #terms = new GrowableArray(uint32s);
  /** At the labels of the chunk that was read last. */
  #reader = new VarintReader(new Uint8Array());
  /** By term id, of the chunk that was read last. */
  readonly frequencies: Uint8Array;

  constructor(pages: ForwardIndex, termCount: number) {
    this.#pages = pages;
    this.frequencies = new Uint8Array(termCount);
  }

  read(chunk: number): GrowableArray<Uint32Array> {
    const { frequencies } = this;
    const terms = this.#terms;
    for (let i = 0; i < terms.length; i++) frequencies[terms.numbers[i] as number] = 0;
    terms.length = 0;
    const reader = this.#pages.readerAt(chunk);
    this.#reader = reader;
    for (let left = this.#pages.lengths.numbers[chunk] as number; left > 0; left--) {
      const term = reader.next() >>> 1;
      const frequency = frequencies[term] as number;
      if (frequency === 0) terms.push(term);
      if (frequency < MAX_TERM_FREQUENCY) frequencies[term] = frequency + 1;
    }
    return terms;
  }

  forEachLabel(visit: (term: number, length: number) => void): void {
    for (let left = this.#reader.next(); left > 0; left--) {
      const label = this.#reader.next();
      visit(label >>> 4, label & 15);
    }
  }
}

function varintSize(number: number): number {
  let size = 1;
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) size++;
  return size;
}

/** Returns the offset after it. */
function putVarint(bytes: Uint8Array, start: number, number: number): number {
  let offset = start;
  let rest = number;
  for (; rest >= 0x80; rest >>>= 7) bytes[offset++] = (rest & 0x7f) | 0x80;
  bytes[offset++] = rest;
  return offset;
}
