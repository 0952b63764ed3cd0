import type { ForwardIndex } from './forward-index.ts';
import { binarySearch } from './growable-array.ts';
import type { Lexicon } from './lexicon.ts';
import { PostingCache } from './posting-cache.ts';
import { PostingList } from './posting-list.ts';
import { buildSegment, type Segment } from './posting-segment.ts';

/** In chunks. Merging larger segments would delay a search. */
const MAX_SEGMENT = 32_768;

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
    return this.#segments.reduce((sum, segment) => sum + bytesOf(segment), cached);
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

  /** Visits the chunks, removed ones included, of which the term is in a label, with the length of its shortest one. */
  forEachLabel(term: number, visit: (chunk: number, length: number) => void): void {
    for (const { labels } of this.#upToDate()) labels.forEach(term, visit);
  }

  /** Adds the new chunks if there are at least `minChunks`, so that the next read need not. */
  catchUp(minChunks: number): void {
    if (this.#pages.chunks - (this.#segments.at(-1)?.to ?? 0) >= minChunks) this.#upToDate();
  }

  /** Adds new chunks as segments and merges neighbours of similar size: segments stay few and are rarely rebuilt. */
  #upToDate(): readonly Segment[] {
    const from = this.#segments.at(-1)?.to ?? 0;
    if (from === this.#pages.chunks) return this.#segments;
    this.#cache.clear();
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

const bytesOf = ({ terms, bytes, labels }: Segment): number => 2 * terms.byteLength + bytes.byteLength + labels.bytes;

function readSegment({ from, terms, starts, bytes }: Segment, term: number, list: PostingList): void {
  const i = binarySearch(terms, terms.length, term);
  if (i !== undefined) list.unpack(bytes.subarray(starts[i], starts[i + 1]), from);
}
