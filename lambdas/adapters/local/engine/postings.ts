import { MAX_TERM_FREQUENCY } from '../../../core/ports/page-index.ts';
import type { PageTable } from './forward-index.ts';
import { Column, placeIn, uint8s, uint32s } from './growable-array.ts';
import type { Lexicon } from './lexicon.ts';
import { KeptLists } from './posting-cache.ts';
import { invert, type Segment } from './posting-segment.ts';
import { VarintReader } from './varints.ts';

/** So many chunks a segment is merged to at most: nobody waits long for it. */
const LARGEST_SEGMENT = 32_768;

/** The chunks that have a term, and how often. */
export class PostingList {
  readonly chunks = new Column(uint32s);
  readonly frequencies = new Column(uint8s);

  get length(): number {
    return this.chunks.length;
  }

  /** Adds packed postings (invert.ts) whose first step is from the chunk `from`. */
  unpack(packed: Uint8Array, from: number): void {
    this.chunks.reserve(packed.length);
    this.frequencies.reserve(packed.length);
    const [chunks, frequencies] = [this.chunks.numbers, this.frequencies.numbers];
    const reader = new VarintReader(packed);
    let [length, chunk] = [this.length, from];
    while (reader.at < packed.length) {
      const step = reader.next();
      chunk += step >>> 1;
      chunks[length] = chunk;
      frequencies[length++] = (step & 1) === 1 ? reader.next() : 1;
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

  /** Whether one of the chunks from a number on, below another, is there. The chunks must rise. */
  hasAny(from: number, end: number): boolean {
    const place = this.chunks.firstFrom(from);
    return place < this.length && (this.chunks.numbers[place] as number) < end;
  }

  /** Each chunk once and rising, with the sum of its frequencies; all are below `end`. */
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

/** Which chunks have which terms. Follows the page table when it is asked; removed pages stay in it. */
export class Postings {
  readonly #pages: PageTable;
  readonly #lexicon: Lexicon;
  readonly #segments: Segment[] = [];
  readonly #kept = new KeptLists();

  constructor(pages: PageTable, lexicon: Lexicon) {
    this.#pages = pages;
    this.#lexicon = lexicon;
  }

  get bytes(): number {
    const kept = this.#kept.bytes;
    return this.#segments.reduce((sum, { terms, bytes }) => sum + 2 * terms.byteLength + bytes.byteLength, kept);
  }

  /** The chunks that have a term, rising; not to be changed. */
  of(term: number): PostingList {
    const segments = this.#current();
    return this.#kept.of(term, () => {
      const list = new PostingList();
      for (const segment of segments) readSegment(segment, term, list);
      return list;
    });
  }

  /** Takes in what is new if there is so much of it, so that the next read need not. */
  follow(chunks: number): void {
    if (this.#pages.chunks - (this.#segments.at(-1)?.to ?? 0) >= chunks) this.#current();
  }

  /** Takes in what is new. Of two neighbours of about one size one is made, so that there are few and none is made anew often. */
  #current(): readonly Segment[] {
    const from = this.#segments.at(-1)?.to ?? 0;
    if (from < this.#pages.chunks) this.#kept.clear();
    for (let start = from; start < this.#pages.chunks; start += LARGEST_SEGMENT) {
      this.#segments.push(this.#invert(start, Math.min(start + LARGEST_SEGMENT, this.#pages.chunks)));
    }
    for (;;) {
      const [before, last] = this.#segments.slice(-2);
      if (!before || !last || last.to - before.from > LARGEST_SEGMENT) break;
      if (2 * (last.to - last.from) < before.to - before.from) break;
      this.#segments.splice(-2, 2, this.#invert(before.from, last.to));
    }
    return this.#segments;
  }

  #invert(from: number, to: number): Segment {
    return invert(this.#pages, from, to, this.#lexicon.size);
  }
}

function readSegment({ from, terms, starts, bytes }: Segment, term: number, list: PostingList): void {
  const place = placeIn(terms, terms.length, term);
  if (place !== undefined) list.unpack(bytes.subarray(starts[place], starts[place + 1]), from);
}
