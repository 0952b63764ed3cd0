/** What a query's terms and vector say of each chunk, and of each title; sets of query terms are bits. */
export class ChunkScores {
  // One entry per chunk.
  /** The weights of the terms, each by its share of BM25's bound. */
  readonly words: Float32Array;
  readonly terms: Int32Array;
  readonly labels: Int32Array;
  /** The length of the shortest label that contains a term, each term by its shortest one; 0 without a label. */
  readonly shortestLabel: Uint8Array;
  readonly longestLabel: Uint8Array;
  /** NaN without a comparable vector. */
  readonly cosines: Float32Array;
  // One entry per page.
  readonly titles: Int32Array;

  constructor(chunks: number, pages: number) {
    this.words = new Float32Array(chunks);
    this.terms = new Int32Array(chunks);
    this.labels = new Int32Array(chunks);
    this.shortestLabel = new Uint8Array(chunks);
    this.longestLabel = new Uint8Array(chunks);
    this.cosines = new Float32Array(chunks);
    this.titles = new Int32Array(pages);
  }

  clear(): this {
    for (const array of [this.words, this.terms, this.labels, this.shortestLabel, this.longestLabel, this.titles])
      array.fill(0);
    this.cosines.fill(Number.NaN);
    return this;
  }

  addTitles(term: number, pages: Uint32Array): void {
    for (let i = 0; i < pages.length; i++) {
      const page = pages[i] as number;
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
