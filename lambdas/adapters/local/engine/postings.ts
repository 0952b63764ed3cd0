import { MAX_TERM_FREQUENCY } from '../../../core/ports/page-index.ts';
import type { ForwardIndex } from './forward-index.ts';
import { binarySearch, GrowableArray, uint8s, uint32s } from './growable-array.ts';
import type { Lexicon } from './lexicon.ts';
import { PostingCache } from './posting-cache.ts';
import { buildSegment, type Segment } from './posting-segment.ts';
import { VarintReader } from './varints.ts';

/** In chunks. Merging larger segments would delay a search. */
const MAX_SEGMENT = 32_768;

export class PostingList {
  readonly chunks = new GrowableArray(uint32s);
  readonly frequencies = new GrowableArray(uint8s);

  get length(): number {
    return this.chunks.length;
  }

  /** Appends packed postings (posting-segment.ts) of a segment that begins with chunk `from`. */
  unpack(packed: Uint8Array, from: number): void {
    this.chunks.reserve(packed.length);
    this.frequencies.reserve(packed.length);
    const [chunks, frequencies] = [this.chunks.numbers, this.frequencies.numbers];
    const reader = new VarintReader(packed);
    let [length, chunk] = [this.length, from];
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

  /** Whether it has a chunk in the range; `end` is exclusive. The chunks must be in ascending order. */
  hasAny(from: number, end: number): boolean {
    const i = this.chunks.lowerBound(from);
    return i < this.length && (this.chunks.numbers[i] as number) < end;
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

/** The inverted index of a partition. It is built from the forward index on demand; removed pages stay in it. */
export class Postings {
  readonly #pages: ForwardIndex;
  readonly #lexicon: Lexicon;
  readonly #segments: Segment[] = [];
  readonly #cache = new PostingCache();

  constructor(pages: ForwardIndex, lexicon: Lexicon) {
    this.#pages = pages;
    this.#lexicon = lexicon;
  }

  get bytes(): number {
    const cached = this.#cache.bytes;
    return this.#segments.reduce((sum, { terms, bytes }) => sum + 2 * terms.byteLength + bytes.byteLength, cached);
  }

  /** In ascending order of chunks. Shared: do not change it. */
  of(term: number): PostingList {
    const segments = this.#upToDate();
    return this.#cache.get(term, () => {
      const list = new PostingList();
      for (const segment of segments) readSegment(segment, term, list);
      return list;
    });
  }

  /** Adds the new chunks if there are at least `minChunks`, so that the next read need not. */
  catchUp(minChunks: number): void {
    if (this.#pages.chunks - (this.#segments.at(-1)?.to ?? 0) >= minChunks) this.#upToDate();
  }

  /** Adds new chunks as segments and merges neighbours of similar size: segments stay few and are rarely rebuilt. */
  #upToDate(): readonly Segment[] {
    const from = this.#segments.at(-1)?.to ?? 0;
    if (from < this.#pages.chunks) this.#cache.clear();
    for (let start = from; start < this.#pages.chunks; start += MAX_SEGMENT) {
      this.#segments.push(this.#build(start, Math.min(start + MAX_SEGMENT, this.#pages.chunks)));
    }
    for (;;) {
      const [previous, last] = this.#segments.slice(-2);
      if (!previous || !last || last.to - previous.from > MAX_SEGMENT) break;
      if (2 * (last.to - last.from) < previous.to - previous.from) break;
      this.#segments.splice(-2, 2, this.#build(previous.from, last.to));
    }
    return this.#segments;
  }

  #build(from: number, to: number): Segment {
    return buildSegment(this.#pages, from, to, this.#lexicon.size);
  }
}

function readSegment({ from, terms, starts, bytes }: Segment, term: number, list: PostingList): void {
  const i = binarySearch(terms, terms.length, term);
  if (i !== undefined) list.unpack(bytes.subarray(starts[i], starts[i + 1]), from);
}
