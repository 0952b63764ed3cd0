import { MAX_TERM_FREQUENCY } from '../../../core/ports/page-index.ts';
import type { PageTable } from './forward-index.ts';
import { Column, uint32s } from './growable-array.ts';

/**
 * The postings of a run of chunks. Those of a term are, for each chunk that has it: the step from the one before (from `from`, for
 * the first) times two; if it has the term more than once, plus one, and then how often. All as varints.
 */
export type Segment = {
  readonly from: number;
  readonly to: number;
  /** In order. The postings of the term at a place are the bytes from the start at this place to the next. */
  readonly terms: Uint32Array;
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
};

/** Makes the postings of chunks `from` to `to`; `termCount` is above all of their terms. */
export function invert(pages: PageTable, from: number, to: number, termCount: number): Segment {
  const chunkTerms = new ChunkTerms(pages, termCount);
  const before = new Uint32Array(termCount).fill(from);
  const ends = new Uint32Array(termCount);
  for (let chunk = from; chunk < to; chunk++) {
    const terms = chunkTerms.read(chunk);
    for (let i = 0; i < terms.length; i++) {
      const term = terms.numbers[i] as number;
      const frequency = chunkTerms.frequencies[term] as number;
      const step = chunk - (before[term] as number);
      ends[term] = (ends[term] as number) + sizeOf(step << 1) + (frequency > 1 ? sizeOf(frequency) : 0);
      before[term] = chunk;
    }
  }
  const { terms, starts, size } = laidOut(ends);
  const bytes = new Uint8Array(size);
  before.fill(from);
  for (let chunk = from; chunk < to; chunk++) {
    const found = chunkTerms.read(chunk);
    for (let i = 0; i < found.length; i++) {
      const term = found.numbers[i] as number;
      const frequency = chunkTerms.frequencies[term] as number;
      const step = chunk - (before[term] as number);
      let at = put(bytes, ends[term] as number, (step << 1) | (frequency > 1 ? 1 : 0));
      if (frequency > 1) at = put(bytes, at, frequency);
      ends[term] = at;
      before[term] = chunk;
    }
  }
  return { from, to, terms, starts, bytes };
}

/** Where the postings of each term lie; `sizes` become the places at which they begin. */
function laidOut(sizes: Uint32Array) {
  const terms = new Column(uint32s);
  const starts = new Column(uint32s);
  let size = 0;
  for (let term = 0; term < sizes.length; term++) {
    const own = sizes[term] as number;
    sizes[term] = size;
    if (own === 0) continue;
    terms.push(term);
    starts.push(size);
    size += own;
  }
  starts.push(size);
  return { terms: terms.numbers.slice(0, terms.length), starts: starts.numbers.slice(0, starts.length), size };
}

/** The distinct terms of one chunk after the other, and how often it has each. */
class ChunkTerms {
  readonly #pages: PageTable;
  readonly #terms = new Column(uint32s);
  /** By term. */
  readonly frequencies: Uint8Array;

  constructor(pages: PageTable, termCount: number) {
    this.#pages = pages;
    this.frequencies = new Uint8Array(termCount);
  }

  read(chunk: number): Column<Uint32Array> {
    const { frequencies } = this;
    const terms = this.#terms;
    for (let i = 0; i < terms.length; i++) frequencies[terms.numbers[i] as number] = 0;
    terms.length = 0;
    const reader = this.#pages.readerAt(chunk);
    for (let left = this.#pages.lengths.numbers[chunk] as number; left > 0; left--) {
      const term = reader.next() >>> 1;
      const frequency = frequencies[term] as number;
      if (frequency === 0) terms.push(term);
      if (frequency < MAX_TERM_FREQUENCY) frequencies[term] = frequency + 1;
    }
    return terms;
  }
}

function sizeOf(number: number): number {
  let size = 1;
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) size++;
  return size;
}

function put(bytes: Uint8Array, start: number, number: number): number {
  let at = start;
  let rest = number;
  for (; rest >= 0x80; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
  bytes[at++] = rest;
  return at;
}
