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
  readonly pages = new ForwardIndex();
  readonly postings: Postings;
  readonly vectors = new VectorIndex();

  #scores = new Float32Array();

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
    this.postings = new Postings(this.pages, lexicon);
  }

  get bytes(): number {
    return this.pages.bytes + this.postings.bytes + this.vectors.bytes;
  }

  /** A zero per chunk, valid until the next call. Reused: allocating one per query is expensive. */
  emptyScores(): Float32Array {
    if (this.#scores.length < this.pages.chunks) this.#scores = new Float32Array(Math.ceil(this.pages.chunks * GROWTH));
    return this.#scores.fill(0);
  }

  add({ facts, terms, vectors }: PackedPage): void {
    const first = this.pages.add(facts, terms);
    for (const { chunkIndex, block } of packedVectors(vectors)) this.vectors.add(first + chunkIndex, block);
  }

  remove(id: number): void {
    this.pages.remove(id);
  }
}
