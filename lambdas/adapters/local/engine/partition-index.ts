import { ChunkScores } from './chunk-scores.ts';
import { ForwardIndex } from './forward-index.ts';
import type { Lexicon } from './lexicon.ts';
import type { PageFacts } from './page-facts.ts';
import { Postings } from './postings.ts';
import { packedVectors } from './vector-encoding.ts';
import { VectorIndex } from './vector-index.ts';

/** A page as stored for searches (term-encoding.ts, vector-encoding.ts). */
export type PackedPage = { readonly facts: PageFacts; readonly terms: Uint8Array; readonly vectors: Int16Array };

const GROWTH = 1.25;

export class PartitionIndex {
  readonly lexicon: Lexicon;
  readonly pages: ForwardIndex;
  readonly postings: Postings;
  readonly vectors = new VectorIndex();

  #scores = new ChunkScores(0, 0);

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
    this.pages = new ForwardIndex(lexicon);
    this.postings = new Postings(this.pages, lexicon);
  }

  get bytes(): number {
    return this.pages.bytes + this.pages.spellings.bytes + this.postings.bytes + this.vectors.bytes;
  }

  /** Without scores, valid until the next call. Reused: allocating them for each query is expensive. */
  emptyScores(): ChunkScores {
    const { chunks, size } = this.pages;
    if (this.#scores.words.length < chunks || this.#scores.titles.length < size)
      this.#scores = new ChunkScores(Math.ceil(chunks * GROWTH), Math.ceil(size * GROWTH));
    return this.#scores.clear();
  }

  add({ facts, terms, vectors }: PackedPage): void {
    const first = this.pages.add(facts, terms);
    for (const { chunkIndex, block } of packedVectors(vectors)) this.vectors.add(first + chunkIndex, block);
  }

  remove(id: number): void {
    this.pages.remove(id);
  }
}
