/** A query's scores of each chunk and each title. Sets of query terms are bit masks. */
export class ChunkScores {
  // One entry per chunk.
  readonly terms: Int32Array;
  /** `weights` sums the weights of the matching terms; `words` multiplies each by its share of BM25's bound. */
  readonly weights: Float32Array;
  readonly words: Float32Array;
  readonly labels: Int32Array;
  /**
   * Each matching term counts with its shortest label: the least and the greatest of these lengths; 0 without a label.
   */
  readonly shortestLabel: Uint8Array;
  readonly longestLabel: Uint8Array;
  /** NaN without a comparable vector. */
  readonly cosines: Float32Array;
  // One entry per page.
  readonly titles: Int32Array;

  /** The chunks with a query term, and the pages with one in their title; each once, unordered. */
  readonly withTerms: NumberList;
  readonly withTitles: NumberList;
  readonly bounded: BoundedChunks;

  constructor(chunks: number, pages: number) {
    this.terms = new Int32Array(chunks);
    this.weights = new Float32Array(chunks);
    this.words = new Float32Array(chunks);
    this.labels = new Int32Array(chunks);
    this.shortestLabel = new Uint8Array(chunks);
    this.longestLabel = new Uint8Array(chunks);
    this.cosines = new Float32Array(chunks);
    this.titles = new Int32Array(pages);
    this.withTerms = new NumberList(chunks);
    this.withTitles = new NumberList(pages);
    this.bounded = new BoundedChunks(chunks);
  }

  clear(): this {
    for (const array of [this.terms, this.weights, this.words, this.labels, this.shortestLabel, this.longestLabel])
      array.fill(0);
    this.cosines.fill(Number.NaN);
    this.titles.fill(0);
    this.withTerms.length = 0;
    this.withTitles.length = 0;
    return this;
  }

  /**
   * Returns the first chunk from `from` on with a greater cosine, or the number of chunks. The loop has no body and
   * keeps `length` in a variable because V8 runs that faster.
   */
  chunkAbove(cosine: number, from: number): number {
    const { cosines } = this;
    const { length } = cosines;
    let chunk = from;
    while (chunk < length && !((cosines[chunk] as number) > cosine)) chunk++;
    return chunk;
  }

  addTitles(term: number, pages: Uint32Array): void {
    for (let i = 0; i < pages.length; i++) {
      const page = pages[i] as number;
      if (this.titles[page] === 0) this.withTitles.push(page);
      this.titles[page] = (this.titles[page] as number) | (1 << term);
    }
  }

  addLabel(term: number, chunk: number, length: number): void {
    const shortest = this.shortestLabel[chunk] as number;
    this.labels[chunk] = (this.labels[chunk] as number) | (1 << term);
    this.shortestLabel[chunk] = shortest === 0 ? length : Math.min(shortest, length);
    this.longestLabel[chunk] = Math.max(this.longestLabel[chunk] as number, length);
  }
}

/** A list of fixed capacity. Faster than `GrowableArray`, whose arrays have several types. */
class NumberList {
  readonly numbers: Uint32Array;
  length = 0;

  constructor(room: number) {
    this.numbers = new Uint32Array(room);
  }

  push(number: number): void {
    this.numbers[this.length++] = number;
  }
}

/**
 * Chunks with a query word. Per chunk: the query's agreement with the page's title, an upper bound of that with its
 * labels, and the ceiling of its score.
 */
export class BoundedChunks {
  readonly chunks: Uint32Array;
  readonly titles: Float64Array;
  readonly labels: Float64Array;
  readonly ceilings: Float64Array;
  length = 0;

  constructor(room: number) {
    this.chunks = new Uint32Array(room);
    this.titles = new Float64Array(room);
    this.labels = new Float64Array(room);
    this.ceilings = new Float64Array(room);
  }

  /** Returns the first index from `from` on with a greater ceiling, or `length`. */
  indexAbove(ceiling: number, from: number): number {
    const { ceilings, length } = this;
    let i = from;
    while (i < length && (ceilings[i] as number) <= ceiling) i++;
    return i;
  }

  push(chunk: number, title: number, label: number): void {
    this.chunks[this.length] = chunk;
    this.titles[this.length] = title;
    this.labels[this.length++] = label;
  }
}
