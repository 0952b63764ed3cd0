import { PageTable } from './forward-index.ts';
import type { Lexicon } from './lexicon.ts';
import type { PageFacts } from './page-facts.ts';
import { packedVectors } from './page-vectors.ts';
import { Postings } from './postings.ts';
import { VectorMatrix } from './vector-index.ts';

/** A page as the file has it for searching (page-words.ts, page-vectors.ts). */
export type PageEvidence = { readonly facts: PageFacts; readonly words: Uint8Array; readonly vectors: Int16Array };

const GROWTH = 1.25;

/** All of a space that a search looks at, in memory. */
export class SpaceIndex {
  readonly lexicon: Lexicon;
  readonly pages = new PageTable();
  readonly postings: Postings;
  readonly vectors = new VectorMatrix();

  #sums = new Float32Array();

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
    this.postings = new Postings(this.pages, lexicon);
  }

  get bytes(): number {
    return this.pages.bytes + this.postings.bytes + this.vectors.bytes;
  }

  /** A zero for each chunk, to be added to until the next call: making such an array anew for each query is dear. */
  freshSums(): Float32Array {
    if (this.#sums.length < this.pages.chunks) this.#sums = new Float32Array(Math.ceil(this.pages.chunks * GROWTH));
    return this.#sums.fill(0);
  }

  add({ facts, words, vectors }: PageEvidence): void {
    const first = this.pages.add(facts, words);
    for (const { place, ...block } of packedVectors(vectors)) this.vectors.add(first + place, block);
  }

  remove(id: number): void {
    this.pages.remove(id);
  }
}
